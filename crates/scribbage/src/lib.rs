//! Scribbage: thirteen crossword cubes and a cup.
