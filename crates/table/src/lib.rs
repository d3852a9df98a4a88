//! The kernel: a game at a table as a pure state machine, its record and its fair dice.
