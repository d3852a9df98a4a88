//! Cubo: nine dice in a square, everyone at once.
