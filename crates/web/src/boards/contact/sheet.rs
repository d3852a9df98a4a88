//! The running sheet: every move in its column, what it took, the tiles off the board, and what the game is counting.

use super::tile::{Print, kind, small};
use crate::session::Session;
use contact::view::PairView;
use contact::{Colour, Ending, Move, PAIR_TURNS_EACH, Public, R9, Set as Pieces, Side, Tile};
use leptos::prelude::*;
use table::Seat;

/// One move of the story.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Told {
    mv: Move,
    /// Which round of the table, from 1, and whose column.
    round: usize,
    column: usize,
    /// How many tiles of others went.
    took: u32,
    lost: bool,
    turned: bool,
}

/// The game so far: its moves, and the tiles that are off the board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Story {
    moves: Vec<Told>,
    off: Vec<Tile>,
}

impl Story {
    /// Plays the moves again from the start.
    fn of(public: &Public) -> Option<Story> {
        let mut position = contact::Position::read(&public.start, &public.pieces()).ok()?;
        let mut story = Story::default();
        let (mut round, mut before) = (1, None);
        for &mv in &public.moves {
            let side = position.turn();
            let column = public.players.sides().iter().position(|&found| found == side)?;
            if before.is_some_and(|before| column <= before) {
                round += 1;
            }
            before = Some(column);
            let seen = position.foresee(mv);
            let tiles: Vec<Tile> = position.tiles().collect();
            let removed = position.play(mv)?.removed();
            let lost = seen.as_ref().is_some_and(|seen| seen.lost);
            story.moves.push(Told {
                mv,
                round,
                column,
                took: removed.count_ones() - u32::from(lost),
                lost,
                turned: seen.is_some_and(|seen| seen.turns_over),
            });
            story.off.extend(tiles.into_iter().filter(|tile| removed >> tile.id & 1 != 0));
        }
        Some(story)
    }
}

impl Told {
    /// The move as it is written, with a sign of what came of it.
    fn written(&self) -> String {
        let signs = [
            (self.took > 1, format!(" ×{}", self.took)),
            (self.took == 1, " ×".to_owned()),
            (self.lost, " †".to_owned()),
            (self.turned, " ↻".to_owned()),
        ];
        let signs: String = signs.into_iter().filter(|sign| sign.0).map(|sign| sign.1).collect();
        format!("{}{signs}", self.mv)
    }

    fn spoken(&self) -> String {
        let mut words = self.mv.to_string();
        match self.took {
            0 => {}
            1 => words.push_str(", takes a tile"),
            took => words = format!("{words}, takes {took} tiles"),
        }
        for (so, what) in [(self.lost, ", is lost"), (self.turned, ", turned over")] {
            words.push_str(if so { what } else { "" });
        }
        words
    }
}

/// The running sheet.
pub(super) fn sheet(session: Session) -> AnyView {
    let view = session.view::<Public>();
    let story = Memo::new(move |_| view.with(|view| view.as_ref().and_then(Story::of)).unwrap_or_default());
    let sides =
        Memo::new(move |_| view.with(|view| view.as_ref().map_or(&[][..], |view| view.players.sides())));
    let names = move || {
        let names = (0..sides.get().len() as u32)
            .map(|seat| view! { <span class="ct-col" role="columnheader">{session.name(Seat(seat))}</span> });
        names.collect_view()
    };
    let moves = move || {
        story.get().moves.into_iter().map(|told| {
            let number = told.column == 0 || told.round == 1;
            let place = format!("grid-row:{};grid-column:{}", told.round, told.column + 2);
            let row = format!("grid-row:{};grid-column:1", told.round);
            view! {
                {number.then(|| view! { <span class="ct-round num" style=row aria-hidden="true">{told.round}</span> })}
                <span class="ct-move num" style=place aria-label=told.spoken()>{told.written()}</span>
            }
        }).collect_view()
    };
    let counting = move || view.with(|view| view.as_ref().map(counts)).unwrap_or_default();
    let off = move || view.with(|view| Some(off(session, view.as_ref()?, &story.get())));
    view! {
        <section class="card ct-sheet" aria-label="Running sheet">
            <h2>"Moves"</h2>
            {move || counting().into_iter().map(|(words, part)| view! {
                <p class="ct-count"><span>{words}</span><span class="ct-count-bar" style=format!("--part:{part:.3}")></span></p>
            }).collect_view()}
            <div class="ct-cols" style=move || format!("--cols:{}", sides.get().len())><span></span>{names}</div>
            <div class="ct-scroll" tabindex="0" role="region" aria-label="All moves">
                <div class="ct-moves num" style=move || format!("--cols:{}", sides.get().len())>{moves}</div>
            </div>
            <Show when=move || story.with(|story| !story.off.is_empty())>
                <h3>"Off the board"</h3>
                {off}
            </Show>
        </section>
    }
    .into_any()
}

/// What the game is counting, and how far it is.
fn counts(public: &Public) -> Vec<(String, f64)> {
    let mut counts = Vec::new();
    if let Some(end) = &public.end {
        counts.push((ended(end.ending).to_owned(), 1.0));
    }
    if let Some(PairView { seven_steps, turns }) = public.pair {
        let all = PAIR_TURNS_EACH * 2;
        let how = if seven_steps { "seven steps a move" } else { "the last two tiles" };
        counts.push((
            format!("{how}: turn {} of {all}, then a tie", turns + 1),
            f64::from(turns) / f64::from(all),
        ));
    }
    if public.r9 != R9::Off && public.quiet >= 20 && public.end.is_none() {
        let (quiet, limit) = (public.quiet, public.quiet_limit);
        let then = if public.count { "then the count decides" } else { "then a tie" };
        counts.push((
            format!("{quiet} of {limit} quiet moves, {then}"),
            f64::from(quiet) / f64::from(limit.max(1)),
        ));
    }
    counts
}

/// How it ended, in words.
pub(super) const fn ended(ending: Ending) -> &'static str {
    match ending {
        Ending::LastTile => "The last tile on the board wins.",
        Ending::GoneTogether => "A tie: the last tiles went together.",
        Ending::EqualBacks => "A tie: the last two tiles are turned over and equal.",
        Ending::SevenSteps => "A tie: ten turns each of seven steps, and both still stand.",
        Ending::LastPair => "A tie: ten turns each, and both tiles still stand.",
        Ending::Repetition => "A tie: the same position for the third time.",
        Ending::Quiet => "A tie: for too long nothing was taken or turned over.",
        Ending::Count => "The count decides: more tiles, or as many with higher figures.",
    }
}

/// The colours of the tiles by number: each has the colour that the set-up gives to the corner it started from.
fn colours(session: Session, public: &Public) -> Vec<Colour> {
    let set = session.option::<Pieces>("set").unwrap_or_default();
    let setup = session.option::<String>("setup").unwrap_or_else(|| "six".to_owned());
    let placed = set.layout(&setup, public.players).unwrap_or_default();
    let Ok(start) = contact::Position::read(&public.start, &public.pieces()) else { return Vec::new() };
    let colour = |tile: Tile| placed.iter().find(|placed| placed.at == tile.at).map(|placed| placed.colour);
    start.tiles().map(|tile| colour(tile).unwrap_or(Colour::of(tile.owner))).collect()
}

/// The tiles that are off the board, by owner.
fn off(session: Session, public: &Public, story: &Story) -> AnyView {
    let colours = colours(session, public);
    let row = |seat: usize, side: Side| {
        let tiles: Vec<&Tile> = story.off.iter().filter(|tile| tile.owner == side).collect();
        (!tiles.is_empty()).then(|| {
            let tiles = tiles.into_iter().map(|tile| {
                let colour = colours.get(usize::from(tile.id)).copied().unwrap_or(Colour::of(side));
                let print = Print::new(colour, tile.step, tile.turned, public);
                small(print, 0, format!("{colour} {} tile", kind(tile.step)))
            });
            view! { <li><span>{session.name(Seat(seat as u32))}</span><span class="ct-off-tiles">{tiles.collect_view()}</span></li> }
        })
    };
    let rows = public.players.sides().iter().enumerate().filter_map(|(seat, &side)| row(seat, side));
    view! { <ul class="ct-off">{rows.collect_view()}</ul> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use contact::{Contact, Players};
    use table::Game;

    #[test]
    fn the_sheet_tells_every_move_in_its_round_and_column() {
        let mut game =
            Contact::new(&Pieces::default(), "six", Players::Two, Side::North, contact::Ties::default())
                .expect("a game");
        for mv in ["g14-g13", "g2-g3", "g15-f14", "i2-i3"] {
            game.play(mv.parse().expect("a move")).expect("legal");
        }
        let story = Story::of(&game.public()).expect("a story");
        let places: Vec<(usize, usize)> = story.moves.iter().map(|told| (told.round, told.column)).collect();
        assert_eq!(places, [(1, 1), (2, 0), (2, 1), (3, 0)]);
        assert_eq!(story.moves[2].written(), "g15-f14");
    }

    #[test]
    fn a_take_a_loss_and_a_turning_over_have_their_signs() {
        let mv = "h6-h8".parse().expect("a move");
        let told = Told { mv, round: 1, column: 0, took: 2, lost: true, turned: false };
        assert_eq!(
            (told.written().as_str(), told.spoken().as_str()),
            ("h6-h8 ×2 †", "h6-h8, takes 2 tiles, is lost")
        );
    }
}
