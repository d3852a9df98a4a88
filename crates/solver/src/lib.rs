//! The proven best crossword of a throw of letter dice.
