//! I-Qubes: crossword dice in red and black.
