//! The live server.
