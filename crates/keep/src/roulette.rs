//! Dice Roulette: slips, throws and the bank. Chips are laid, settled and passed on by the engine.

use crate::ledger::{Ledger, Standing};
use crate::sheet;
use crate::terms::{find, seats};
use crate::trouble::Trouble;
use ::roulette::{
    Act, Banker, Options, Refusal, Roulette, Set, Slip, Stake, Throw, odds_of, read_slip, write_slip,
};
use house::Kind;
use std::time::Duration;
use table::{Dice, Game, Moment, Seat, Seats, Seed, Time};

/// A throw that was settled.
struct Settled {
    number: u8,
    /// Who held the bank; the house if nobody.
    banker: Option<usize>,
    slips: Vec<Slip>,
    /// What each player won or lost.
    net: Vec<i64>,
}

/// The table is the engine's own: only the dice are thrown by hand.
pub(crate) struct RouletteLedger {
    game: Roulette,
    /// For the engine's door; nobody throws them.
    dice: Dice,
    set: Set,
    names: Vec<String>,
    throws: u32,
    settled: Vec<Settled>,
}

impl RouletteLedger {
    pub(crate) fn open(
        throws: u32,
        chips: u32,
        bank: Option<&str>,
        names: &[String],
    ) -> Result<RouletteLedger, Trouble> {
        seats(Kind::Roulette, names, if bank.is_some() { 2 } else { 1 }, 1000)?;
        let bank = bank.map(|name| find(names, name)).transpose()?;
        let bank = bank.map_or(Banker::House, |player| Banker::Seat(Seat(player as u32)));
        let options = Options { throws, chips, bank, ..Options::default() };
        let refused = |why: String| Trouble::Terms(why);
        let seated = Seats::named((1..=names.len()).map(|number| number.to_string()))
            .map_err(|why| refused(why.to_string()))?;
        let mut dice = Dice::new(&Seed::from_number(0), Roulette::NAME, &seated);
        let mut at = Moment { now: Time::START, dice: &mut dice };
        let game = Roulette::open(&options, &seated, &mut at).map_err(|why| refused(why.to_string()))?;
        Ok(RouletteLedger {
            game,
            dice,
            set: options.set,
            names: names.to_vec(),
            throws,
            settled: Vec::new(),
        })
    }

    fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    fn banker(&self) -> Option<usize> {
        match self.game.banker() {
            Banker::House => None,
            Banker::Seat(seat) => Some(seat.index()),
        }
    }

    fn worth(&self) -> Vec<i64> {
        (0..self.names.len() as u32).map(|seat| self.game.worth(Seat(seat)).unwrap_or_default()).collect()
    }

    fn slips(&self) -> impl Iterator<Item = &Slip> {
        (0..self.names.len() as u32).filter_map(|seat| self.game.slip(Seat(seat)))
    }

    /// Does all of these for a player, or none: what is refused changes nothing.
    fn acts(&mut self, player: usize, acts: &[Act]) -> Result<(), Trouble> {
        let mut game = self.game.clone();
        for act in acts {
            let mut at = Moment { now: Time::START, dice: &mut self.dice };
            game.act(Seat(player as u32), act, &mut at).map_err(|why| self.told(player, why))?;
        }
        self.game = game;
        Ok(())
    }

    /// A refusal of the engine in the words of the scorekeeper, with the name of the player.
    fn told(&self, player: usize, why: Refusal) -> Trouble {
        let name = self.names[player].clone();
        match why {
            Refusal::BankerNeverBets => Trouble::Banker(name),
            Refusal::BankCannotPay { worst, bank } => Trouble::Bank { worst, bank },
            Refusal::StakeOverChips { stake, have } => Trouble::Chips { name, chips: have, stake },
            Refusal::NoChips => Trouble::NoChips(name),
            Refusal::AlreadyBanker => Trouble::Terms(format!("{name} holds the bank already")),
            Refusal::Alone => Trouble::Terms("alone you play against the house".to_owned()),
            other => Trouble::Terms(other.to_string()),
        }
    }

    /// The player a line begins with, and the rest of it.
    fn named<'a>(&self, line: &'a str) -> Option<(usize, &'a str)> {
        let starts = |name: &String| {
            let rest = line.get(name.len()..).filter(|_| line.is_char_boundary(name.len()))?;
            let same = line[..name.len()].to_lowercase() == name.to_lowercase();
            (same && rest.chars().next().is_none_or(char::is_whitespace)).then_some(rest.trim())
        };
        let mut found: Vec<(usize, &str)> = self
            .names
            .iter()
            .enumerate()
            .filter_map(|(player, name)| Some((player, starts(name)?)))
            .collect();
        // Of "Ann" and "Ann Lee" the longer name is meant where both fit.
        found.sort_by_key(|(player, _)| self.names[*player].len());
        found.pop()
    }

    fn lay(&mut self, player: usize, text: &str) -> Result<String, Trouble> {
        let slip = if text == "-" || text.is_empty() {
            Slip::default()
        } else {
            read_slip(&self.set, text).map_err(|why| Trouble::Slip(why.to_string()))?
        };
        let name = self.names[player].clone();
        let bets: Vec<Stake> = slip.on(&self.set).collect();
        let laid = self.game.slip(Seat(player as u32)).is_some_and(|slip| !slip.is_empty());
        let clear = laid.then_some(Act::Clear);
        let lay = (!bets.is_empty()).then(|| Act::lay(bets.clone()));
        self.acts(player, &clear.into_iter().chain(lay).collect::<Vec<_>>())?;
        Ok(match slip.total() {
            0 => format!("{name} lays nothing."),
            stake => format!("{name} lays {stake}: {}.", write_slip(bets)),
        })
    }

    fn throw(&mut self, text: &str) -> Result<String, Trouble> {
        let throw = self.read_throw(text).ok_or_else(|| Trouble::Throw(text.to_owned()))?;
        let number = self.set.number(throw);
        let (before, slips, banker) = (self.worth(), self.slips().cloned().collect(), self.banker());
        self.game.thrown_by_hand(throw, Time::START);
        let after = self.worth();
        let net: Vec<i64> = after.iter().zip(&before).map(|(after, before)| after - before).collect();
        let colour = if self.set.is_red(throw) { "red" } else { "black" };
        let told = self.names.iter().zip(&net).zip(&after).filter(|((_, net), _)| **net != 0);
        let told = told.map(|((name, net), chips)| format!("{name} {net:+} ({chips})")).collect::<Vec<_>>();
        self.settled.push(Settled { number, banker, slips, net });
        let told = if told.is_empty() { "nobody won or lost".to_owned() } else { told.join(", ") };
        Ok(format!("{number}, {colour}: {told}."))
    }

    fn read_throw(&self, text: &str) -> Option<Throw> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            [number] => self.set.throw_of(number.parse().ok()?),
            [black, white] => {
                let black: u8 = if black.eq_ignore_ascii_case("blank") { 0 } else { black.parse().ok()? };
                let white: u8 = white.parse().ok().filter(|white| *white < 10)?;
                self.set.throw_of(black.checked_mul(10)?.checked_add(white)?)
            }
            _ => None,
        }
    }

    fn pass_bank(&mut self, name: &str) -> Result<String, Trouble> {
        let heir = if name.eq_ignore_ascii_case("house") { None } else { Some(find(&self.names, name)?) };
        if self.slips().any(|slip| !slip.is_empty()) {
            return Err(Trouble::Terms(
                "the bank passes between throws: throw first, or take the slips back".to_owned(),
            ));
        }
        let to_house = Act::PassBank { to: Banker::House };
        match (self.banker(), heir) {
            (None, None) => {}
            (Some(banker), None) => self.acts(banker, &[to_house])?,
            (None, Some(heir)) => self.acts(heir, &[Act::TakeBank])?,
            (Some(banker), Some(heir)) => {
                let before = self.game.clone();
                if heir != banker {
                    self.acts(banker, &[to_house])?;
                }
                if let Err(trouble) = self.acts(heir, &[Act::TakeBank]) {
                    self.game = before;
                    return Err(trouble);
                }
            }
        }
        let holder = heir.map_or("The house", |player| self.names[player].as_str());
        Ok(format!("{holder} holds the bank."))
    }

    fn hear(&mut self, line: &str) -> Result<String, Trouble> {
        if let Some((player, slip)) = self.named(line) {
            return self.lay(player, slip);
        }
        match line.split_once(char::is_whitespace) {
            Some(("throw", faces)) => self.throw(faces.trim()),
            Some(("bank", name)) => self.pass_bank(name.trim()),
            // A slip without its player.
            Some((name, slip)) if slip.contains('=') => {
                Err(find(&self.names, name).err().unwrap_or(Trouble::Roulette))
            }
            _ => Err(Trouble::Roulette),
        }
    }
}

impl Ledger for RouletteLedger {
    fn turn(&self) -> Option<String> {
        if self.is_over() {
            return None;
        }
        let laid = self.slips().filter(|slip| !slip.is_empty()).count();
        let slips = match laid {
            0 => "slips, please".to_owned(),
            1 => "1 slip laid".to_owned(),
            laid => format!("{laid} slips laid"),
        };
        Some(format!("Throw {} of {}, {slips}", self.settled.len() + 1, self.throws))
    }

    fn enter(&mut self, line: &str) -> Result<String, Trouble> {
        if self.is_over() {
            return Err(Trouble::Over);
        }
        let mut says = self.hear(line)?;
        if self.is_over() && self.settled.len() < self.throws as usize {
            says.push_str(" All the chips are on one side: the game is over.");
        }
        Ok(says)
    }

    /// There is no best slip: every bet is fair. What can be said is what each slip could have brought.
    fn best(&self, _: Duration) -> Option<String> {
        let last = self.settled.last().filter(|_| self.slips().all(Slip::is_empty))?;
        let told = |(name, slip): (&String, &Slip)| {
            let odds = odds_of(&self.set, slip);
            (!slip.is_empty()).then(|| {
                let best = odds.distribution.first().map_or(0, |way| way.net);
                format!("{name} was ahead on {} of 36 numbers, with {best:+} at best", odds.ahead)
            })
        };
        let told: Vec<String> = self.names.iter().zip(&last.slips).filter_map(told).collect();
        (!told.is_empty()).then(|| format!("{}; every slip gains 0 on average.", told.join("; ")))
    }

    fn standing(&self) -> Vec<Standing> {
        let standing = |(name, chips): (&String, i64)| Standing { name: name.clone(), points: chips };
        self.names.iter().zip(self.worth()).map(standing).collect()
    }

    fn sheet(&self) -> String {
        let cell = |settled: &Settled, player: usize| {
            let net = settled.net[player];
            match (settled.banker == Some(player), settled.slips[player].is_empty()) {
                (true, _) => format!("{net:+} (bank)"),
                (false, true) => String::new(),
                (false, false) => format!("{net:+} ({})", write_slip(settled.slips[player].on(&self.set))),
            }
        };
        let row = |settled: &Settled| {
            let players = (0..self.names.len()).map(|player| cell(settled, player));
            std::iter::once(settled.number.to_string()).chain(players).collect::<Vec<_>>()
        };
        let mut rows: Vec<Vec<String>> = self.settled.iter().map(row).collect();
        rows.push(sheet::totals(&self.standing()));
        let table = sheet::table(&sheet::headings("Thrown", &self.names), &rows);
        sheet::sheet(Kind::Roulette.title(), &table, &self.standing(), self.is_over())
    }

    fn help(&self) -> &'static str {
        "Type each player's slip, then the throw:
    Ann 15=2 1|2=3 black=10    Ann's slip, in the place of any she had (Ann - takes it back)
    throw 15                   the number; or the faces, black first: throw 1 5, throw blank 6
    bank Bob                   Bob takes the bank, between throws (or: bank house)
  Spots: 15 a number, 1|2 a pair, 1|2|11|12 four, 1-6 a run, 1st12 2nd12 3rd12, low high black red even odd"
    }

    fn seconds(&self) -> Option<u32> {
        Some(30)
    }
}
