//! Shapes written as a trie of their cells in reading order, so that those with a common beginning are searched together.

/// One cell of shapes that begin alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step<L, N = ()> {
    /// What is known of the cell.
    pub(crate) label: L,
    /// Past the steps that follow this one.
    pub(crate) skip: u32,
    /// What all shapes that go through this step need from here on.
    pub(crate) needs: N,
}

/// What shapes need.
pub(crate) trait Needs: Copy {
    /// What both need.
    fn both(self, other: Self) -> Self;
}

impl Needs for () {
    fn both(self, (): Self) {}
}

/// Sorted shapes as a trie in preorder; each is its labels, and what it needs from there on.
pub(crate) fn trie<L: Copy + PartialEq, N: Needs, S: IntoIterator<Item = (L, N)>>(
    shapes: impl IntoIterator<Item = S>,
) -> Vec<Step<L, N>> {
    let mut steps: Vec<Step<L, N>> = Vec::new();
    // The steps of the shape before.
    let mut path: Vec<usize> = Vec::new();
    for shape in shapes {
        let mut parted = false;
        for (place, (label, needs)) in shape.into_iter().enumerate() {
            if !parted && path.get(place).is_some_and(|&at| steps[at].label == label) {
                let step = &mut steps[path[place]];
                step.needs = step.needs.both(needs);
                continue;
            }
            parted = true;
            end(&mut steps, path.drain(place..));
            path.push(steps.len());
            steps.push(Step { label, skip: 0, needs });
        }
    }
    end(&mut steps, path.drain(..));
    steps.shrink_to_fit();
    steps
}

/// Nothing more follows these steps.
fn end<L, N>(steps: &mut [Step<L, N>], ended: impl Iterator<Item = usize>) {
    let skip = steps.len() as u32;
    for at in ended {
        steps[at].skip = skip;
    }
}
