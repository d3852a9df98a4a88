//! The two word games: a line is a layout and the dice left over; it is counted, and the solver says what was there.

use crate::ledger::{Ledger, Standing};
use crate::sheet;
use crate::terms::{Terms, find, seats};
use crate::trouble::Trouble;
use house::Kind;
use serde_json::{Value, json};
use std::cmp::Ordering::{Equal, Greater, Less};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;
use words::notation::{self, Style, Tile};
use words::{Checked, Counting, Face, Layout, Letter, Lexicon, Word};

/// A throw that was counted.
struct Counted {
    player: usize,
    round: u32,
    /// IQ-S6: the second throw of a turn.
    second: bool,
    /// The dice, as the game writes them.
    dice: String,
    points: i32,
    words: String,
    /// All dice are in words.
    full: bool,
    /// One of the words is of those that the coach lays only for a player who did so himself.
    rude: bool,
}

/// A bid on a count (IQ-S12): what it brought to whom.
struct Bid {
    /// Of which throw.
    throw: usize,
    player: usize,
    points: i64,
}

pub(crate) struct LetterLedger {
    kind: Kind,
    names: Vec<String>,
    rounds: u32,
    figure: Option<i32>,
    counting: Counting,
    /// How many dice are thrown.
    dice: usize,
    lexicon: Option<Arc<Lexicon>>,
    /// Words that the table takes beside the dictionary.
    allowed: BTreeSet<Word>,
    throws: Vec<Counted>,
    bids: Vec<Bid>,
}

impl LetterLedger {
    pub(crate) fn open(terms: &Terms, names: &[String]) -> Result<LetterLedger, Trouble> {
        let (kind, rounds, figure, counting, dice, dictionary) = match terms {
            Terms::Scribbage { rounds, figure, young, dictionary } => {
                seats(Kind::Scribbage, names, 1, 100)?;
                // SB-S10
                let rounds = rounds.unwrap_or_else(|| ::scribbage::Options::usual_turns(names.len()));
                let counting = if *young { Counting::Young } else { Counting::Scribbage };
                (Kind::Scribbage, rounds, *figure, counting, ::scribbage::CUBES, *dictionary)
            }
            Terms::IQubes { rounds, long_word, two_sets, dictionary } => {
                seats(Kind::IQubes, names, 1, 5)?;
                let counting = Counting::IQubes { long_word: *long_word };
                let dice = if *two_sets { 2 } else { 1 } * ::iqubes::DICE;
                (Kind::IQubes, *rounds, None, counting, dice, *dictionary)
            }
            _ => return Err(Trouble::Terms("this is no word game".to_owned())),
        };
        Ok(LetterLedger {
            kind,
            names: names.to_vec(),
            rounds,
            figure,
            counting,
            dice,
            lexicon: dictionary.lexicon(),
            allowed: BTreeSet::new(),
            throws: Vec::new(),
            bids: Vec::new(),
        })
    }

    const fn style(&self) -> Style {
        match self.kind {
            Kind::IQubes => Style::Colours,
            _ => Style::Jokers,
        }
    }

    /// Whose throw comes next: the player, the round from 1, and whether it is a second throw.
    fn next(&self) -> (usize, u32, bool) {
        let Some(last) = self.throws.last() else { return (0, 1, false) };
        if self.kind == Kind::IQubes && last.full && !last.second {
            return (last.player, last.round, true);
        }
        if last.player + 1 < self.names.len() {
            (last.player + 1, last.round, false)
        } else {
            (0, last.round + 1, false)
        }
    }

    fn is_over(&self) -> bool {
        let (player, round, second) = self.next();
        if player != 0 || second {
            return false;
        }
        let Some(figure) = self.figure else { return round > self.rounds };
        // SB-R5
        let mut sheet = vec![Vec::new(); self.names.len()];
        for throw in &self.throws {
            sheet[throw.player].push(i64::from(throw.points));
        }
        ::scribbage::figure_is_won(figure.into(), &sheet)
    }

    fn is_word(&self, letters: &[Letter]) -> bool {
        // Offensive words of the dictionary are for the table to allow.
        let taken = |lexicon: &Arc<Lexicon>| lexicon.entry(letters).is_some_and(|entry| !entry.offensive);
        self.lexicon.as_ref().is_none_or(taken) || self.allowed.iter().any(|word| word[..] == *letters)
    }

    fn is_rude(&self, checked: &Checked) -> bool {
        let Some(lexicon) = &self.lexicon else { return false };
        let mut words = checked.runs().iter().filter_map(|run| run.word);
        words.any(|word| lexicon.entry(&word).is_some_and(|entry| entry.offensive))
    }

    /// The layout and all dice of the throw, those left over last.
    fn read(&self, line: &str) -> Result<(Layout, Vec<Face>), Trouble> {
        let mut parts = line.split_whitespace();
        let (laid, left) = (parts.next().unwrap_or("-"), parts.collect::<String>());
        let set = ::scribbage::Set::standard();
        let value = |tile: Tile| match tile.face(0).letter {
            Some(letter) if self.kind == Kind::Scribbage => set.value(::scribbage::Face(Some(letter))),
            _ => 0,
        };
        let (layout, mut faces) = if laid == "-" {
            (Layout::EMPTY, Vec::new())
        } else {
            notation::read(laid, self.style(), |tile| tile.face(value(tile)))
                .map_err(|why| Trouble::Layout(why.to_string()))?
        };
        faces.extend(if self.kind == Kind::IQubes {
            left.parse::<::iqubes::Throw>().map_err(|why| Trouble::Layout(why.to_string()))?.faces()
        } else {
            let left = left.parse::<::scribbage::Throw>().map_err(|why| Trouble::Layout(why.to_string()))?;
            left.faces(&set)
        });
        if faces.len() != self.dice {
            return Err(Trouble::Dice { found: faces.len(), wanted: self.dice });
        }
        Ok((layout, faces))
    }

    fn lay(&mut self, line: &str, anyway: bool) -> Result<String, Trouble> {
        if self.is_over() {
            return Err(Trouble::Over);
        }
        let (layout, faces) = self.read(line)?;
        let dice = notation::dice(&faces, self.style());
        let (player, round, second) = self.next();
        let checked = layout.check(&faces, self.counting, |word| self.is_word(word));
        let (checked, points) = match checked.count() {
            Some(points) if checked.is_good() => (checked, points),
            _ if anyway || layout.dice.is_empty() => {
                let left = layout.remainder(&faces, self.counting, |word| self.is_word(word));
                (left.checked, left.count)
            }
            _ => return Err(Trouble::Faulty { faults: faults(&checked), line: line.to_owned() }),
        };
        let full = checked.used().len() == faces.len();
        let (words, rude) = (said(&checked), self.is_rude(&checked));
        let laid = if words.is_empty() { "nothing laid" } else { &words };
        let again = full && self.kind == Kind::IQubes && !second;
        let end = if again { "; all dice used: a second throw!" } else { "." };
        let says = format!("{}: {} for {laid}{end}", self.names[player], points_of(points));
        self.throws.push(Counted { player, round, second, dice, points, words, full, rude });
        Ok(says)
    }

    /// A word that neither the dictionary nor the table has so far.
    fn is_new(&self, text: &str) -> bool {
        text.parse::<Word>().is_ok_and(|word| !self.is_word(&word))
    }

    fn allow(&mut self, text: &str) -> Result<String, Trouble> {
        let word: Option<Word> = text.trim_matches('"').parse().ok();
        let word = word.filter(|word| !word.is_empty()).ok_or_else(|| Trouble::NoWord(text.to_owned()))?;
        self.allowed.insert(word);
        Ok(format!("{word} counts at this table from now on."))
    }

    /// IQ-S12: the difference between a bid and the count it was made on.
    fn bid(&mut self, line: &str) -> Result<String, Trouble> {
        let bad = |why: &str| Trouble::Bid(why.to_owned());
        let last = self.throws.last().filter(|_| self.kind == Kind::IQubes);
        let last = last.ok_or_else(|| bad("a bid is made on a count of I-Qubes that stands"))?;
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let made = match words.pop() {
            Some("made") => true,
            Some("failed") => false,
            _ => return Err(bad("was the bid made, or did it fail?")),
        };
        let points: u32 = words
            .pop()
            .and_then(|points| points.parse().ok())
            .ok_or_else(|| bad("how many points were bid?"))?;
        let bidder = find(&self.names, &words.join(" "))?;
        if bidder == last.player {
            return Err(bad("nobody bids on his own count"));
        }
        let (owner, throw, count) = (last.player, self.throws.len(), last.points.unsigned_abs());
        if points <= count {
            return Err(Trouble::Bid(format!("a bid is higher than the count, which is {count}")));
        }
        let most = self.highest();
        if points > most {
            return Err(Trouble::Bid(format!("no layout of these dice counts more than {most}")));
        }
        if self.bids.iter().any(|bid| bid.throw == throw) {
            return Err(bad("only the highest bidder plays, and there was a bid on this count already"));
        }
        let (gain, given) = ::iqubes::settle(count, points, if made { points } else { count });
        self.bids.push(Bid { throw, player: bidder, points: gain });
        self.bids.push(Bid { throw, player: owner, points: given });
        let difference = points - count;
        Ok(if made {
            format!("{} gains {difference}.", self.names[bidder])
        } else {
            format!("{} loses {difference} to {}.", self.names[bidder], self.names[owner])
        })
    }

    /// The most that the dice of a throw could ever count.
    fn highest(&self) -> u32 {
        let two_sets = self.dice > ::iqubes::DICE;
        let long_word = self.counting == Counting::IQubes { long_word: true };
        ::iqubes::Options { two_sets, long_word, ..::iqubes::Options::default() }.highest()
    }

    fn question(&self, throw: &Counted) -> Value {
        json!({
            "dice": throw.dice,
            "long_word": self.counting == Counting::IQubes { long_word: true },
            "young": self.counting == Counting::Young,
            "any_letters": true,
            "offensive": throw.rude,
            "words": self.lexicon.as_ref().map(|lexicon| lexicon.id()),
        })
    }
}

impl Ledger for LetterLedger {
    fn turn(&self) -> Option<String> {
        if self.is_over() {
            return None;
        }
        let (player, round, second) = self.next();
        let name = &self.names[player];
        let throw = if second { ", second throw" } else { "" };
        Some(match self.figure {
            Some(figure) => format!("{name}, round {round}, to pass {figure}"),
            None => format!("{name}, round {round} of {}{throw}", self.rounds),
        })
    }

    fn enter(&mut self, line: &str) -> Result<String, Trouble> {
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        // BID, ALLOW and ANYWAY can be laid, too: then all the dice are there.
        match (first, self.read(line).is_ok()) {
            ("bid", false) => self.bid(rest),
            ("anyway", false) => self.lay(rest, true),
            ("allow", false) => self.allow(rest),
            ("allow", true) if self.is_new(rest) => Err(Trouble::TwoWays(rest.to_owned())),
            _ => self.lay(line, false),
        }
    }

    /// What the dictionary has for the last throw. Without one the table decides, and nobody can search its mind.
    fn best(&self, limit: Duration) -> Option<String> {
        let (last, _) = self.throws.last().zip(self.lexicon.as_ref())?;
        let answer = solve(self.kind, self.question(last), limit)?;
        let score = i32::try_from(answer["score"].as_i64()?).ok()?;
        let proven = answer["proven"] == true;
        let sure = match (answer["proof"].as_str(), self.allowed.is_empty()) {
            (Some("accepted"), true) => "that is proven",
            (Some("accepted"), false) => "that is proven of the dictionary alone",
            (Some(_), _) => "that is the most of the words shown here",
            (None, _) => "the best found in this time",
        };
        Some(match score.cmp(&last.points) {
            Less if proven => format!(
                "The table's count is above what the dictionary alone allows, which is {}.",
                points_of(score)
            ),
            Equal if proven => format!("{} is the best there was; {sure}.", points_of(score)),
            Less | Equal if answer["proof"].is_string() => {
                "Nothing better was found among the words shown here.".to_owned()
            }
            Less | Equal => "Nothing better was found in this time.".to_owned(),
            Greater => {
                let rows: Vec<&str> = answer["layout"].as_array()?.iter().filter_map(Value::as_str).collect();
                format!("There were {} in it; {sure}:\n    {}", points_of(score), rows.join("\n    "))
            }
        })
    }

    fn standing(&self) -> Vec<Standing> {
        let points = |player: usize| -> i64 {
            let thrown = self.throws.iter().filter(|throw| throw.player == player).map(|throw| throw.points);
            let bid = self.bids.iter().filter(|bid| bid.player == player).map(|bid| bid.points);
            thrown.map(i64::from).chain(bid).sum()
        };
        let standing =
            |(player, name): (usize, &String)| Standing { name: name.clone(), points: points(player) };
        self.names.iter().enumerate().map(standing).collect()
    }

    fn sheet(&self) -> String {
        let rounds = self.throws.last().map_or(0, |last| last.round);
        let cell = |round: u32, player: usize| {
            let throws = self.throws.iter().filter(|throw| throw.round == round && throw.player == player);
            let told = throws.map(|throw| match throw.words.as_str() {
                "" => throw.points.to_string(),
                words => format!("{} ({words})", throw.points),
            });
            told.collect::<Vec<_>>().join(" + ")
        };
        let row = |round: u32| {
            let players = (0..self.names.len()).map(|player| cell(round, player));
            std::iter::once(round.to_string()).chain(players).collect::<Vec<_>>()
        };
        let mut rows: Vec<Vec<String>> = (1..=rounds).map(row).collect();
        if !self.bids.is_empty() {
            let bids = (0..self.names.len()).map(|player| {
                let sum: i64 =
                    self.bids.iter().filter(|bid| bid.player == player).map(|bid| bid.points).sum();
                format!("{sum:+}")
            });
            rows.push(std::iter::once("Bids".to_owned()).chain(bids).collect());
        }
        rows.push(sheet::totals(&self.standing()));
        let table = sheet::table(&sheet::headings("Round", &self.names), &rows);
        sheet::sheet(self.kind.title(), &table, &self.standing(), self.is_over())
    }

    fn help(&self) -> &'static str {
        match self.kind {
            Kind::IQubes => {
                "Type the layout, row by row with / between, . for an empty place, and after a space the dice left over:
    DASH/.TO*E        all seven used; upper case red, lower case black, O* a WILD that stands for O
    SPAR/..T xi       two left over (! and ? are WILDs)
    - DASHTo!         nothing laid
  allow WORD          the table takes a word that the dictionary does not have
  anyway LAYOUT …     count a faulty layout with the wrong dice taken out
  bid Bob 15 made     Bob bid 15 on the last count and made it (or: failed)"
            }
            _ => {
                "Type the layout, row by row with / between, . for an empty place, and after a space the cubes left over:
    plant/i.r.w/c.m.o/k q    lower case are cubes; an upper-case letter is what a joker stands for
    - plantickrmwoq          nothing laid (? is a joker)
  allow WORD                 the table takes a word that the dictionary does not have
  anyway LAYOUT …            count a faulty layout with the wrong cubes taken out"
            }
        }
    }

    fn seconds(&self) -> Option<u32> {
        Some(match (self.kind, self.dice) {
            (Kind::IQubes, ::iqubes::DICE) => 90,
            _ => 180,
        })
    }
}

fn points_of(points: i32) -> String {
    if points == 1 { "1 point".to_owned() } else { format!("{points} points") }
}

fn said(checked: &Checked) -> String {
    let words = checked.runs().iter().filter_map(|run| Some(format!("{} {}", run.word?, run.points)));
    words.collect::<Vec<_>>().join(", ")
}

fn faults(checked: &Checked) -> String {
    checked.faults().iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// Asks the house's solver, for at most that long.
fn solve(kind: Kind, question: Value, limit: Duration) -> Option<Value> {
    let stop = AtomicBool::new(false);
    let (done, bell) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let stop = &stop;
        scope.spawn(move || {
            // The answer hangs up; silence until the limit means that time is up.
            if bell.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout) {
                stop.store(true, Ordering::Relaxed);
            }
        });
        let answer = house::engine(kind).solve(question, stop, &mut |_| ());
        drop(done);
        answer.ok()
    })
}
