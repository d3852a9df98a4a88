//! Letter dice on a grid: the word graph, layouts, their words and their faults.
