//! Dice Roulette: slips, throws and the bank. The house never runs out; a player's bank is what it can pay.

use crate::ledger::{Ledger, Standing};
use crate::sheet;
use crate::terms::{find, seats};
use crate::trouble::Trouble;
use ::roulette::{Options, Set, Slip, Throw, odds_of, read_slip, write_slip};
use house::Kind;
use std::time::Duration;

/// A throw that was settled.
struct Settled {
    number: u8,
    /// Who held the bank; the house if nobody.
    banker: Option<usize>,
    slips: Vec<Slip>,
    /// What each player won or lost.
    net: Vec<i64>,
}

pub(crate) struct RouletteLedger {
    set: Set,
    names: Vec<String>,
    throws: u32,
    /// Chips of each player; those of the banker lie in the bank.
    chips: Vec<i64>,
    /// What the bank is set up with when a player holds it (DR-R3).
    stock: i64,
    banker: Option<usize>,
    slips: Vec<Slip>,
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
        let banker = bank.map(|name| find(names, name)).transpose()?;
        let options = Options { chips, ..Options::default() };
        Ok(RouletteLedger {
            set: Set::standard(),
            names: names.to_vec(),
            throws,
            chips: vec![i64::from(chips); names.len()],
            stock: options.stock(names.len() as u32) as i64,
            banker,
            slips: vec![Slip::default(); names.len()],
            settled: Vec::new(),
        })
    }

    fn is_over(&self) -> bool {
        self.settled.len() >= self.throws as usize || self.no_contest()
    }

    /// What the banker can pay with; a house's bank has no end.
    fn bank(&self) -> Option<i64> {
        self.banker.map(|banker| self.stock + self.chips[banker])
    }

    /// DR-R5: one player has all the chips, or nobody can play any more.
    fn no_contest(&self) -> bool {
        let chips = self.chips.iter().enumerate();
        let playing = chips.filter(|&(player, &chips)| self.banker != Some(player) && chips > 0).count();
        match self.bank() {
            None => playing == 0 || (playing == 1 && self.names.len() > 1),
            Some(bank) => playing == 0 || (playing == 1 && bank == 0),
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
        let name = &self.names[player];
        if self.banker == Some(player) {
            return Err(Trouble::Banker(name.clone()));
        }
        let slip = if text == "-" || text.is_empty() {
            Slip::default()
        } else {
            read_slip(&self.set, text).map_err(|why| Trouble::Slip(why.to_string()))?
        };
        let stake = i64::from(slip.total());
        if stake > self.chips[player] {
            return Err(Trouble::Chips { name: name.clone(), chips: self.chips[player], stake });
        }
        let mut slips = self.slips.clone();
        slips[player] = slip;
        self.bank_can_pay(&slips)?;
        let says = match stake {
            0 => format!("{name} lays nothing."),
            stake => format!("{name} lays {stake}: {}.", write_slip(slips[player].on(&self.set))),
        };
        self.slips = slips;
        Ok(says)
    }

    /// DR-R3: losing chips are not set against what it must pay, since they can still be taken back.
    fn bank_can_pay(&self, slips: &[Slip]) -> Result<(), Trouble> {
        let Some(bank) = self.bank() else { return Ok(()) };
        let paid = |throw: Throw| -> i64 {
            slips.iter().map(|slip| slip.settle(&self.set, throw).paid as i64).sum()
        };
        let worst = Throw::all().map(paid).max().unwrap_or(0);
        if worst > bank { Err(Trouble::Bank { worst, bank }) } else { Ok(()) }
    }

    fn throw(&mut self, text: &str) -> Result<String, Trouble> {
        let throw = self.read_throw(text).ok_or_else(|| Trouble::Throw(text.to_owned()))?;
        let number = self.set.number(throw);
        let slips = std::mem::replace(&mut self.slips, vec![Slip::default(); self.names.len()]);
        let mut net: Vec<i64> = slips.iter().map(|slip| slip.settle(&self.set, throw).net()).collect();
        if let Some(banker) = self.banker {
            net[banker] = -net.iter().sum::<i64>();
        }
        for (chips, net) in self.chips.iter_mut().zip(&net) {
            *chips += net;
        }
        let colour = if self.set.is_red(throw) { "red" } else { "black" };
        let told = self.names.iter().zip(&net).zip(&self.chips).filter(|((_, net), _)| **net != 0);
        let told = told.map(|((name, net), chips)| format!("{name} {net:+} ({chips})")).collect::<Vec<_>>();
        self.settled.push(Settled { number, banker: self.banker, slips, net });
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
        let banker = if name.eq_ignore_ascii_case("house") { None } else { Some(find(&self.names, name)?) };
        if self.slips.iter().any(|slip| !slip.is_empty()) {
            return Err(Trouble::Terms(
                "the bank passes between throws: throw first, or take the slips back".to_owned(),
            ));
        }
        if banker.is_some() && self.names.len() < 2 {
            return Err(Trouble::Terms("alone you play against the house".to_owned()));
        }
        self.banker = banker;
        let holder = banker.map_or("The house", |player| self.names[player].as_str());
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
        let laid = self.slips.iter().filter(|slip| !slip.is_empty()).count();
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
        if self.no_contest() {
            says.push_str(" All the chips are on one side: the game is over.");
        }
        Ok(says)
    }

    /// There is no best slip: every bet is fair. What can be said is what each slip could have brought.
    fn best(&self, _: Duration) -> Option<String> {
        let last = self.settled.last().filter(|_| self.slips.iter().all(Slip::is_empty))?;
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
        let standing = |(name, chips): (&String, &i64)| Standing { name: name.clone(), points: *chips };
        self.names.iter().zip(&self.chips).map(standing).collect()
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
