//! What every client does alike around a table: whose hand lies in front, what a bot is called, and how a sentence is told to
//! the one who reads it.

use table::Seat;

/// Around one screen the hand passes to whoever is awaited; it stays where it is as long as that is one of them.
pub fn next_hand(hand: Option<Seat>, mine: &[Seat], awaited: &[Seat]) -> Option<Seat> {
    let stays = |seat: &Seat| mine.contains(seat) && (awaited.contains(seat) || mine.len() == 1);
    if let Some(seat) = hand.filter(stays) {
        return Some(seat);
    }
    let from = hand.map_or(0, |seat| seat.0 + 1);
    let mut wanted = mine.iter().filter(|seat| awaited.contains(seat));
    let next = wanted.clone().find(|seat| seat.0 >= from).or_else(|| wanted.next());
    next.copied().or(hand.filter(|seat| mine.contains(seat))).or_else(|| mine.first().copied())
}

/// What happened, whoever reads it: verbs after "You" lose the ending that they have after a name.
pub fn to_you(sentence: String) -> String {
    let Some((verb, rest)) =
        sentence.strip_prefix("You ").map(|said| said.split_once(' ').unwrap_or((said, "")))
    else {
        return sentence;
    };
    let (verb, sign) = verb.split_at(verb.trim_end_matches(|c: char| !c.is_alphabetic()).len());
    let bare = verb
        .strip_suffix("sses")
        .map_or_else(|| verb.strip_suffix('s').unwrap_or(verb).to_owned(), |stem| format!("{stem}ss"));
    format!("You {bare}{sign} {rest}").trim_end().to_owned()
}

/// The names of bots, one for each chair. No two at a table have the same.
pub const BOTS: [&str; 16] = [
    "Ada", "Bruno", "Clara", "Dario", "Edith", "Felix", "Greta", "Hugo", "Iris", "Jonas", "Kira", "Luca",
    "Mina", "Nils", "Olga", "Pavel",
];

/// What a bot in this chair is called.
pub fn bot_name(chair: usize) -> String {
    BOTS[chair % BOTS.len()].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hand_passes_to_whoever_is_awaited_and_stays_while_it_is() {
        let mine = [Seat(0), Seat(1), Seat(3)];
        assert_eq!(next_hand(None, &mine, &[]), Some(Seat(0)));
        assert_eq!(next_hand(Some(Seat(1)), &mine, &[Seat(1), Seat(3)]), Some(Seat(1)));
        assert_eq!(next_hand(Some(Seat(1)), &mine, &[Seat(0), Seat(3)]), Some(Seat(3)));
        assert_eq!(next_hand(Some(Seat(3)), &mine, &[Seat(0), Seat(2)]), Some(Seat(0)));
        assert_eq!(next_hand(Some(Seat(3)), &mine, &[Seat(2)]), Some(Seat(3)));
        assert_eq!(next_hand(Some(Seat(0)), &[Seat(0)], &[]), Some(Seat(0)));
        assert_eq!(next_hand(Some(Seat(0)), &[], &[Seat(0)]), None);
    }

    #[test]
    fn what_you_do_is_told_to_you() {
        let told = |sentence: &str| to_you(sentence.to_owned());
        assert_eq!(told("You lays 15=2."), "You lay 15=2.");
        assert_eq!(told("You passes the bank."), "You pass the bank.");
        assert_eq!(told("You throws: D A S H."), "You throw: D A S H.");
        assert_eq!(told("You passes."), "You pass.");
        assert_eq!(told("You would stop here."), "You would stop here.");
        assert_eq!(told("Ada lays 15=2."), "Ada lays 15=2.");
    }
}
