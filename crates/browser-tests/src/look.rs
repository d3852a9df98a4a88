//! What must hold on every page: nothing scrolls sideways, everything has room for a finger and a name for a screen
//! reader, from the smallest phone to the largest screen, by day and by night.

use crate::{Done, Trouble, Visitor};

/// From the smallest phone to the largest screen, and which of them are looked at by night, too.
const SIZES: [(u32, u32, bool); 5] =
    [(320, 640, false), (390, 844, true), (844, 390, false), (1280, 800, true), (3840, 2160, false)];

/// What must hold on the page that is open, at every size, and a picture of each.
pub async fn holds(visitor: &Visitor, name: &str) -> Done {
    for (width, height, night) in SIZES {
        visitor.looks_through(width, height).await?;
        let here = |trouble: Trouble| format!("{name} at {width}: {trouble}");
        visitor.fits().await.map_err(here)?;
        visitor.board_is_the_page().await.map_err(here)?;
        visitor.table_is_one_screen().await.map_err(here)?;
        if width.min(height) < 700 {
            visitor.fingers_fit().await.map_err(here)?;
        }
        for scheme in ["light", "dark"].into_iter().take(1 + usize::from(night)) {
            visitor.wishes(scheme).await?;
            visitor.pictures(&format!("{name}-{width}x{height}-{scheme}")).await?;
        }
        visitor.wishes("light").await?;
    }
    reads_large(visitor, name).await?;
    visitor.looks_through(1280, 800).await?;
    speaks(visitor, name).await
}

/// Who needs letters of twice the size scrolls down for them, never sideways.
async fn reads_large(visitor: &Visitor, name: &str) -> Done {
    visitor.enlarges(2).await?;
    for (width, height) in [(390, 844), (1280, 800)] {
        visitor.looks_through(width, height).await?;
        visitor.pictures(&format!("{name}-{width}x{height}-large")).await?;
        visitor.fits().await.map_err(|trouble| format!("{name} at {width}, letters enlarged: {trouble}"))?;
    }
    visitor.enlarges(1).await
}

/// The page as a screen reader has it: landmarks, a live region, and no control without a name.
pub async fn speaks(visitor: &Visitor, name: &str) -> Done {
    let tree = visitor.tree().await?;
    let has = |role: &str| tree.iter().any(|(found, _)| found == role);
    for role in ["main", "banner", "status"] {
        if !has(role) {
            return Err(format!("{name} has no {role}: {tree:?}").into());
        }
    }
    let controls = ["button", "link", "textbox", "switch", "combobox", "spinbutton", "slider", "application"];
    let nameless: Vec<_> =
        tree.iter().filter(|(role, name)| controls.contains(&&**role) && name.is_empty()).collect();
    if !nameless.is_empty() {
        return Err(format!("{name}: without a name: {nameless:?}").into());
    }
    let live = "return document.querySelectorAll('[aria-live=polite], [role=status]').length";
    if visitor.ask(live).await?.as_u64() == Some(0) {
        return Err(format!("{name} has no live region").into());
    }
    Ok(())
}
