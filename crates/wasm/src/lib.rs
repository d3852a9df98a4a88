//! The web client compiled to wasm. All of it is in the build script, which depends on nothing, so that cargo can start it at once:
//! what it compiles takes longer than anything else, and `page` needs it only at the end.
