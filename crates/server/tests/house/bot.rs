//! The Python bot of `examples/`, run as a person would run it.
