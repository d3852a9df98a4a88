//! Contact: tiles with numbered corners that spin as they move.
