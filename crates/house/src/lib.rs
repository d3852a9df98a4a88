//! The five games behind one door: open by name, act from JSON, view to JSON.
