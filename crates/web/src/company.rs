//! A company that is larger than a game is made for: what the sheets propose to it.

use crate::options::Chosen;
use house::Kind;
use leptos::prelude::*;

/// What is proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proposal {
    /// Another table for who finds no seat (IQ-S3).
    TwoTables,
    /// So many teams (SB-S2).
    Partners(u32),
}

/// Five is the most at a table of I-Qubes, so who asks for five may well be six.
const FULL: u32 = 5;
/// More than this are better partners.
const ALONE: u32 = 6;

fn proposal(kind: Kind, people: u32, teams: bool) -> Option<Proposal> {
    match kind {
        Kind::IQubes if people >= FULL => Some(Proposal::TwoTables),
        Kind::Scribbage if people > ALONE && !teams => {
            Some(Proposal::Partners(people.div_ceil(*scribbage::Options::MEMBERS.end())))
        }
        _ => None,
    }
}

/// The proposal for so many people, where there is one.
#[component]
pub fn Company(
    /// The game.
    kind: Kind,
    /// How many sit down.
    people: Signal<u32>,
    /// The options.
    chosen: Chosen,
) -> impl IntoView {
    move || {
        match proposal(kind, people.get(), chosen.has_teams())? {
        Proposal::TwoTables => Some(
            view! { <p class="company">"More than five? Then lay two tables, and let the winners meet."</p> }.into_any(),
        ),
        Proposal::Partners(teams) => Some(
            view! {
                <p class="company">{format!("{} are better partners. ", people.get())}
                    <button type="button" class="btn" data-do="partners" on:click=move |_| chosen.set_teams(teams)>{format!("Play in {teams} teams")}</button>
                </p>
            }
            .into_any(),
        ),
    }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iq_s3_more_than_five_are_proposed_two_tables() {
        assert_eq!(proposal(Kind::IQubes, 4, false), None);
        assert_eq!(proposal(Kind::IQubes, 5, false), Some(Proposal::TwoTables));
        assert_eq!(proposal(Kind::Contact, 5, false), None);
    }

    #[test]
    fn sb_s2_more_than_six_are_proposed_to_be_partners() {
        assert_eq!(proposal(Kind::Scribbage, 6, false), None);
        for people in 7..=16 {
            let Some(Proposal::Partners(teams)) = proposal(Kind::Scribbage, people, false) else {
                panic!("{people} play alone");
            };
            let options = scribbage::Options { teams, ..scribbage::Options::default() };
            assert!(options.seating().contains(&people), "{people} in {teams} teams");
        }
        assert_eq!(proposal(Kind::Scribbage, 9, true), None);
    }
}
