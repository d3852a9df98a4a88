//! Cubo: after each round everybody types the cubo as it counts, and what was exchanged.

use crate::ledger::{Ledger, Standing};
use crate::sheet;
use crate::terms::seats;
use crate::trouble::Trouble;
use ::cubo::{Colour, Die, Hand, Set, Square, Stock, Straights};
use house::Kind;
use std::time::Duration;

/// What a player had in a round; nothing if he was late (CU-S7).
struct Made {
    player: usize,
    cubo: Option<Cubo>,
    points: i64,
}

struct Cubo {
    counted: Square,
    /// The nine dice as they were thrown.
    hand: Hand,
    taken: Option<Die>,
}

pub(crate) struct CuboLedger {
    names: Vec<String>,
    rounds: u32,
    straights: Straights,
    made: Vec<Made>,
    /// Red dice of each player: exchanges change them for good (CU-S9).
    red: Vec<u8>,
    /// What lay in the centre when the round began, and what has been taken of it since.
    centre: Stock,
    taken: Stock,
}

/// Nothing was taken yet.
const NOTHING: Stock = Stock { red: 0, blue: 0 };

impl CuboLedger {
    pub(crate) fn open(rounds: u32, any_order: bool, names: &[String]) -> Result<CuboLedger, Trouble> {
        let set = Set::default();
        seats(Kind::Cubo, names, 1, set.players() as usize)?;
        Ok(CuboLedger {
            names: names.to_vec(),
            rounds,
            straights: if any_order { Straights::AnyOrder } else { Straights::InOrder },
            made: Vec::new(),
            red: vec![set.player().red; names.len()],
            centre: set.centre(),
            taken: NOTHING,
        })
    }

    fn round(&self) -> usize {
        self.made.len() / self.names.len()
    }

    fn is_over(&self) -> bool {
        self.round() >= self.rounds as usize
    }

    /// The start player is the next to the left each round (CU-S3), and uncovers first (CU-S8).
    fn player(&self) -> usize {
        (self.round() + self.made.len() % self.names.len()) % self.names.len()
    }

    /// Writes down what a player made; when all have, a round is over and the dice of the centre are thrown again.
    fn push(&mut self, made: Made) {
        self.made.push(made);
        if self.made.len().is_multiple_of(self.names.len()) {
            (self.centre, self.taken) = (self.left_by_players(&Set::default()), NOTHING);
        }
    }

    /// What will have been taken of the centre with this die: no more than lay there (CU-S2).
    fn take(&self, die: Option<Die>) -> Result<Stock, Trouble> {
        let mut taken = self.taken;
        match die.map(Die::colour) {
            Some(Colour::Red) => taken.red += 1,
            Some(Colour::Blue) => taken.blue += 1,
            Some(Colour::White) | None => {}
        }
        for (colour, found, had) in
            [("red", taken.red, self.centre.red), ("blue", taken.blue, self.centre.blue)]
        {
            if found > had {
                return Err(Trouble::Centre { colour, found, had });
            }
        }
        Ok(taken)
    }

    /// What lies in the centre: of all dice those that the players do not have (CU-S9).
    fn left_by_players(&self, set: &Set) -> Stock {
        let players = self.names.len() as u32;
        let has =
            |all: u8, centre: u8, held: u32| (u32::from(all) * players + u32::from(centre) - held) as u8;
        let red: u32 = self.red.iter().map(|&red| u32::from(red)).sum();
        let (player, centre) = (set.player(), set.centre());
        let blue = player.count() * players - red;
        Stock { red: has(player.red, centre.red, red), blue: has(player.blue, centre.blue, blue) }
    }

    fn read(line: &str) -> Result<Cubo, Trouble> {
        let (grid, exchange) = match line.split_once(" took ") {
            Some((grid, exchange)) => (grid, Some(exchange)),
            None => (line, None),
        };
        let misread = |why: ::cubo::Misread| Trouble::Cubo(why.to_string());
        let counted: Square = grid.trim().parse().map_err(misread)?;
        let mut dice = *counted.dice();
        let mut taken = None;
        if let Some(exchange) = exchange {
            let die = |text: &str| {
                let die = text.trim().parse::<Die>().map_err(|why| Trouble::Exchange(why.to_string()))?;
                if die.is_white() {
                    return Err(Trouble::Exchange("the white die is never exchanged".to_owned()));
                }
                Ok(die)
            };
            let (came, went) = match exchange.split_once(" for ") {
                Some((came, went)) => (die(came)?, Some(die(went)?)),
                None => (die(exchange)?, None),
            };
            if let Some(went) = went {
                let place = dice.iter().position(|&die| die == came);
                let place =
                    place.ok_or_else(|| Trouble::Exchange(format!("there is no {came} in this cubo")))?;
                dice[place] = went;
            }
            taken = Some(came);
        }
        Ok(Cubo { counted, hand: Hand::new(&dice).map_err(misread)?, taken })
    }
}

fn red(dice: &[Die]) -> u8 {
    dice.iter().filter(|die| die.colour() == Colour::Red).count() as u8
}

impl Ledger for CuboLedger {
    fn turn(&self) -> Option<String> {
        if self.is_over() {
            return None;
        }
        Some(format!("{}, round {} of {}", self.names[self.player()], self.round() + 1, self.rounds))
    }

    fn enter(&mut self, line: &str) -> Result<String, Trouble> {
        if self.is_over() {
            return Err(Trouble::Over);
        }
        let player = self.player();
        let name = self.names[player].clone();
        if line.eq_ignore_ascii_case("late") {
            self.push(Made { player, cubo: None, points: 0 });
            return Ok(format!("{name} was late: nothing this round."));
        }
        let cubo = Self::read(line)?;
        if cubo.hand.red() != self.red[player] {
            let red = self.red[player];
            return Err(Trouble::Stock { name, red, blue: 8 - red, found: cubo.hand.red() });
        }
        let taken = self.take(cubo.taken)?;
        let count = cubo.counted.count(self.straights);
        self.red[player] = red(cubo.counted.dice());
        let points = i64::from(count.total);
        let rows =
            count.rows.iter().filter(|row| row.points > 0).map(|row| format!("{} {}", row.row, row.points));
        let rows = rows.collect::<Vec<_>>().join(", ");
        self.taken = taken;
        self.push(Made { player, cubo: Some(cubo), points });
        let told = if rows.is_empty() { "no row counts".to_owned() } else { rows };
        Ok(format!("{name}: {points} ({told})."))
    }

    fn best(&self, _: Duration) -> Option<String> {
        let last = self.made.last()?;
        let cubo = last.cubo.as_ref()?;
        let plan = match cubo.taken {
            Some(taken) => cubo.hand.plan_with(taken, self.straights),
            None => cubo.hand.plan(self.straights),
        };
        if i64::from(plan.score) <= last.points {
            return Some(format!("{} is the best these dice could make.", last.points));
        }
        let swap =
            plan.exchange.map_or_else(String::new, |swap| format!(", with {} for {}", swap.taken, swap.out));
        Some(format!("These dice could make {}: {}{swap}.", plan.score, plan.cubo))
    }

    fn standing(&self) -> Vec<Standing> {
        let points =
            |player| self.made.iter().filter(|made| made.player == player).map(|made| made.points).sum();
        let standing =
            |(player, name): (usize, &String)| Standing { name: name.clone(), points: points(player) };
        self.names.iter().enumerate().map(standing).collect()
    }

    fn sheet(&self) -> String {
        let cell = |round: &[Made], player: usize| match round.iter().find(|made| made.player == player) {
            Some(Made { cubo: Some(cubo), points, .. }) => format!("{points} ({})", cubo.counted),
            Some(_) => "late".to_owned(),
            None => String::new(),
        };
        let rounds = self.made.chunks(self.names.len()).zip(1..);
        let mut rows: Vec<Vec<String>> = rounds
            .map(|(made, round)| {
                let players = (0..self.names.len()).map(|player| cell(made, player));
                std::iter::once(format!("{round}")).chain(players).collect()
            })
            .collect();
        rows.push(sheet::totals(&self.standing()));
        let table = sheet::table(&sheet::headings("Round", &self.names), &rows);
        sheet::sheet(Kind::Cubo.title(), &table, &self.standing(), self.is_over())
    }

    fn help(&self) -> &'static str {
        "Type the cubo row by row as it counts, the exchange made:
    R1 R4 B6 / B3 W4 B5 / R6 R4 B1
    R1 R2 R3 / B3 W4 B5 / R6 R4 B1 took R3 for B6    R3 came from the cover in the place of B6
    R1 R4 B6 / B3 W4 B5 / R6 R4 B1 took R3           R3 was taken and not used
  late                                               not covered in time: nothing this round"
    }

    fn seconds(&self) -> Option<u32> {
        Some(if self.names.len() == 1 { 90 } else { 120 })
    }
}
