//! Nothing allocates inside the search, nor in making, taking back and listing moves: counted, not assumed.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use contact::eval::Weights;
use contact::search::{Limits, Searcher};
use contact::{Players, Position, Set};

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, counting what each thread asks of it.
struct Counting;

#[expect(
    unsafe_code,
    reason = "an allocator can only be written so; every call goes straight to the system's"
)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`, which is the system's.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`, which is the system's.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> u64 {
    let before = COUNT.with(Cell::get);
    work();
    COUNT.with(Cell::get) - before
}

#[test]
fn the_search_does_not_allocate() {
    for (setup, players) in
        [("six", Players::Two), ("twelve", Players::Two), ("six", Players::Partners), ("six", Players::Three)]
    {
        let position = Position::start(&Set::default(), setup, players).expect("a set-up");
        let mut searcher = Searcher::new(&Weights::default(), 1);
        let mut nodes = 0;
        let count = allocations(|| nodes = searcher.think(&position, &Limits::nodes(30_000)).nodes);
        assert!(nodes >= 20_000, "{nodes} nodes");
        assert_eq!(count, 0, "{setup} {players:?}");
    }
}

#[test]
fn making_moves_and_perft_do_not_allocate() {
    let position = Position::start(&Set::default(), "six", Players::Partners).expect("a set-up");
    assert_eq!(allocations(|| assert!(contact::perft(&position, 3) > 0)), 0);
    let one = allocations(|| drop(std::hint::black_box(Box::new(1))));
    assert_eq!(one, 1, "the count counts");
}
