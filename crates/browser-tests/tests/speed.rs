//! How quick the page is, in figures: printed, and copied into BENCHMARKS.md, never asserted tightly.
//! `cargo test -p browser-tests --release --test speed -- --ignored --nocapture --test-threads 1` measures the page that is shipped.

use browser_tests::{Done, Parlor, Screen, Trouble, Visitor, begin};
use serde_json::{Value, json};

/// The frames of the last while, in milliseconds, from a page that has been counting.
const COUNT: &str = "window.frames_ = []; let last = performance.now(); \
    const tick = now => { window.frames_.push(now - last); last = now; if (window.counts_) requestAnimationFrame(tick); }; \
    window.counts_ = true; requestAnimationFrame(tick);";

async fn frames(ann: &Visitor) -> Result<Vec<f64>, Trouble> {
    let counted = ann.ask("window.counts_ = false; return window.frames_.slice(1)").await?;
    let mut frames: Vec<f64> =
        counted.as_array().map(|all| all.iter().filter_map(Value::as_f64).collect()).unwrap_or_default();
    frames.sort_by(f64::total_cmp);
    Ok(frames)
}

fn tell(what: &str, mut sorted: Vec<f64>, unit: &str) {
    sorted.sort_by(f64::total_cmp);
    let at = |part: f64| {
        sorted.get(((sorted.len().saturating_sub(1)) as f64 * part) as usize).copied().unwrap_or(0.0)
    };
    println!(
        "{what}: median {:.1} {unit}, 95 of 100 within {:.1} {unit}, worst {:.1} {unit} ({} samples)",
        at(0.5),
        at(0.95),
        at(1.0),
        sorted.len()
    );
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "figures of a release build, for BENCHMARKS.md"]
async fn figures_of_the_first_load() -> Done {
    let parlor = Parlor::open()?;
    let mut ready = Vec::new();
    for _ in 0..3 {
        let ann = Visitor::new(Screen::Wide).await?;
        ann.go(&parlor, "/").await?;
        ann.sees(".shelf").await?;
        // The moment at which the shelf was drawn, as the page's own clock has it.
        let at = ann.ask("return performance.getEntriesByName('parlor-ready')[0]?.startTime ?? -1").await?;
        ready.push(at.as_f64().unwrap_or(-1.0));
        // What the page itself asked for up to then; what the service worker puts by afterwards is its own affair.
        let sizes = "return [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')] \
            .map(file => [new URL(file.name).pathname, file.encodedBodySize])";
        let files: Vec<(String, u64)> = serde_json::from_value(ann.ask(sizes).await?)?;
        let bytes: u64 = files.iter().map(|file| file.1).sum();
        println!(
            "first load: {:.1} KB over the wire, in {} files: {files:?}",
            bytes as f64 / 1024.0,
            files.len()
        );
        ann.leaves().await?;
    }
    tell("cold page to a shelf that answers", ready, "ms");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "figures of a release build, for BENCHMARKS.md"]
async fn figures_of_a_drag_and_of_an_act() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    begin(&ann, &parlor, "contact", "around", json!({"first": "south"})).await?;
    ann.sees(".ct-board.is-open").await?;
    for slow in [1, 4] {
        ann.slows_down(slow).await?;
        // A tile is dragged round in circles, then put back where it was.
        let (x, y) = ann.middle(".is-open [data-at=g2], .is-open [data-at=g14]").await?;
        ann.mouse("mousePressed", (x, y), true).await?;
        ann.ask(COUNT).await?;
        let before = ann.work().await?;
        for step in 0..60 {
            let angle = f64::from(step) / 60.0 * std::f64::consts::TAU;
            ann.mouse("mouseMoved", (x + 90.0 * angle.sin(), y - 90.0 + 90.0 * angle.cos()), true).await?;
        }
        let work = (ann.work().await? - before) / 60.0;
        let drag = frames(&ann).await?;
        println!(
            "work of the page's thread for each move of a drag, processor {slow} times slower: {work:.1} ms"
        );
        ann.mouse("mouseMoved", (x - 300.0, y - 200.0), true).await?;
        ann.mouse("mouseReleased", (x - 300.0, y - 200.0), false).await?;
        tell(&format!("frames of a drag, processor {slow} times slower"), drag, "ms");
        let before = ann.work().await?;
        let acts = acts(&ann).await?;
        let work = (ann.work().await? - before) / 12.0;
        println!(
            "work of the page's thread for a whole move by keys, its animation included, processor {slow} times slower: {work:.1} ms"
        );
        tell(&format!("an act to a new picture in the page, processor {slow} times slower"), acts, "ms");
    }
    ann.leaves().await
}

/// Twelve moves by keys; for each the time from the key to the end of the page's work on it.
async fn acts(ann: &Visitor) -> Result<Vec<f64>, Trouble> {
    let script = "const done = arguments[arguments.length - 1]; (async () => { \
        const board = () => document.querySelector('.ct-board'); const times = []; \
        const press = key => board().dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true})); \
        const painted = () => new Promise(ok => requestAnimationFrame(() => setTimeout(ok, 0))); \
        for (let act = 0; act < 12; act++) { \
          for (let tile = 0; tile <= act % 3; tile++) press('n'); press('Enter'); press('n'); press('n'); await painted(); \
          const before = performance.now(); press('Enter'); void board().getBoundingClientRect().width; \
          times.push(performance.now() - before); await painted(); await new Promise(ok => setTimeout(ok, 260)); } \
        done(times); })();";
    let times = ann.driver.execute_async(script, Vec::new()).await?.json().clone();
    Ok(times.as_array().map(|all| all.iter().filter_map(Value::as_f64).collect()).unwrap_or_default())
}
