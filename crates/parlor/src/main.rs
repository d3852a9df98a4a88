//! The command `parlor`.
fn main() {}
