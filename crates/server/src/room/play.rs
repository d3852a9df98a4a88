//! The game at a table: its start, what people, bots and time do, and its end.

use super::batch::Pen;
use super::terms::setting;
use super::{Batch, Life, Now, Room, Who};
use crate::keeper::short;
use crate::say;
use crate::store::{Finish, FinishedSeat, Stage};
use house::{BotRefused, Driver, Step};
use protocol::{Phase, Place, Why};
use table::{Outcome, Seat, Seated, Seats, Spoken, Time};

impl Room {
    pub(super) fn start(&mut self, who: Who<'_>, anyway: bool, pen: &mut Pen<'_>) -> Result<(), Spoken> {
        self.hosted_by(who)?;
        self.gathering()?;
        self.startable(anyway)?;
        let seated = self.places.iter().map(|place| match place {
            Place::Guest { name, seed, .. } => Seated { name: name.clone(), seed: seed.clone() },
            Place::Open | Place::Bot { .. } => Seated { name: place.name().to_owned(), seed: String::new() },
        });
        let seats = Seats::new(seated.collect()).map_err(|fault| say("bad-seats", fault.to_string()))?;
        let setting = setting(&self.terms)?;
        let (opened, anchors) = (Some(self.made.max(pen.at.wall)), self.anchors());
        let (game, line) = Driver::open_linked(&setting, seats, anchors, &self.seed, opened)?;
        self.game = Some(game);
        let laid = self.laid().is_some();
        if laid {
            self.phase = Phase::Playing;
        }
        self.seat_bots();
        pen.at.time = Time::START;
        pen.batch.append.stage = Some(Stage::Playing);
        pen.batch.moved = true;
        self.line(line, pen);
        self.tell(Why::Started, &[], true, laid, pen);
        self.end_if_over(pen);
        Ok(())
    }

    fn startable(&self, anyway: bool) -> Result<(), Spoken> {
        let (count, seating) = (self.places.len() as u32, &self.seating);
        if !seating.contains(&count) {
            let (least, most) = (seating.start(), seating.end());
            let title = self.terms.game.title();
            return Err(say(
                "seating",
                format!(
                    "{title} with these options is for {least} to {most} players; there are {count} seats."
                ),
            ));
        }
        if self.places.contains(&Place::Open) {
            return Err(say(
                "open-seats",
                "A seat is still free. Remove it, give it to a bot, or wait for somebody.",
            ));
        }
        let waiting = self.places.iter().find(|place| matches!(place, Place::Guest { ready: false, .. }));
        if let (false, Some(place)) = (anyway, waiting) {
            return Err(say("not-ready", format!("{} is not ready yet.", place.name())));
        }
        if self.terms.rated {
            let mut people: Vec<&str> = self.places.iter().filter_map(Place::person).collect();
            people.sort_unstable();
            people.dedup();
            if people.len() < 2 || people.len() < self.places.len() {
                return Err(say("not-rated", "A rated game needs at least two people, and no bots."));
            }
        }
        Ok(())
    }

    pub(super) fn seat_bots(&mut self) {
        let Some(game) = &mut self.game else { return };
        for (seat, place) in (0..).zip(&self.places) {
            if let Some(level) = place.bot() {
                game.seat_bot(Seat(seat), level, u64::from_le_bytes(crate::id::random()));
            }
        }
    }

    pub(super) fn act(
        &mut self,
        who: Who<'_>,
        seat: Option<u32>,
        act: &str,
        pen: &mut Pen<'_>,
    ) -> Result<(), Spoken> {
        self.playing()?;
        let seat = self.own_seat(who, seat)?;
        if self.places[seat as usize].bot().is_some() {
            return Err(say("bot-plays", "A bot plays this seat for you. Join again to take it back."));
        }
        self.play(seat, act, pen)
    }

    fn own_seat(&self, who: Who<'_>, seat: Option<u32>) -> Result<u32, Spoken> {
        let mut own = self.seats_of(&who.person.id);
        match (seat, own.next(), own.next()) {
            (_, None, _) => Err(say("not-seated", "You have no seat here. You can watch.")),
            (Some(seat), Some(_), _) => {
                let mine = self
                    .places
                    .get(seat as usize)
                    .is_some_and(|place| place.person() == Some(&who.person.id));
                if mine { Ok(seat) } else { Err(say("not-your-seat", "This seat is somebody else's.")) }
            }
            (None, Some(seat), None) => Ok(seat),
            (None, Some(_), Some(_)) => {
                Err(say("which-seat", "You have several seats here. Say which one acts."))
            }
        }
    }

    fn play(&mut self, seat: u32, act: &str, pen: &mut Pen<'_>) -> Result<(), Spoken> {
        let game = self.game.as_mut().ok_or_else(|| say("not-started", "The game has not started yet."))?;
        let step = game.act(pen.at.time, Seat(seat), act)?;
        self.stepped(step, pen);
        Ok(())
    }

    /// Lets time and bots do everything that is due.
    pub(crate) fn let_due_act(&mut self, at: Now, batch: &mut Batch) {
        let mut pen = Pen { by: None, at, batch };
        self.abort_if_told_to(&mut pen);
        self.abort_if_unplayable(&mut pen);
        while let Some(step) = self.game.as_mut().and_then(|game| game.step(at.time)) {
            match step {
                Ok(step) => self.stepped(step, &mut pen),
                Err(BotRefused { seat, act, why }) => {
                    tracing::warn!(table = short(&self.id), %seat, act, why = why.says, "a bot's act was refused");
                }
            }
        }
    }

    /// Whether the game has to be broken off, because it cannot go on here.
    pub(crate) fn is_stuck(&self) -> bool {
        self.phase == Phase::Playing && self.game.is_none()
    }

    /// Whether an administrator closed the table, and it does not know yet.
    pub(crate) fn is_to_close(&self) -> bool {
        self.closing.is_some() && matches!(self.phase, Phase::Gathering | Phase::Playing)
    }

    /// An administrator closed the table: nobody wins, and its players are told why.
    fn abort_if_told_to(&mut self, pen: &mut Pen<'_>) {
        let Some(why) = self.closing.clone().filter(|_| self.is_to_close()) else { return };
        tracing::info!(table = short(&self.id), "an administrator closes the table");
        pen.batch.append.stage = Some(Stage::Closed);
        self.happen_whole(&Life::Aborted { why }, Why::Closed, pen);
    }

    /// Breaks off a game that was begun under rules that are not played here. Nobody wins it; its lines stay as they are, and the
    /// seed is shown, so that the dice of what was played can be checked.
    fn abort_if_unplayable(&mut self, pen: &mut Pen<'_>) {
        let Some(rules) = self.unplayable.as_ref().filter(|_| self.is_stuck()) else { return };
        let why = format!(
            "This game cannot go on: {rules}. The table is closed, and nobody has won or lost. Make another table."
        );
        tracing::warn!(table = short(&self.id), %rules, "a game is broken off: its rules are not played here");
        pen.batch.append.stage = Some(Stage::Closed);
        self.happen_whole(&Life::Aborted { why }, Why::Closed, pen);
    }

    /// Something happened in the game: a line for the record, and an event for everybody.
    fn stepped(&mut self, step: Step, pen: &mut Pen<'_>) {
        pen.at.time = pen.at.time.max(step.at);
        pen.batch.moved = true;
        self.line(step.line, pen);
        let why = step.seat.map_or(Why::TimeUp, |seat| Why::Acted { seat: seat.0 });
        // What throws has not happened before its dice lie.
        let happened = self.ask().is_none();
        self.tell(why, &[], false, happened, pen);
        self.end_if_over(pen);
    }

    pub(super) fn end_if_over(&mut self, pen: &mut Pen<'_>) {
        let end = self.game.as_mut().and_then(|game| Some((game.table().outcome()?, game.end(&self.seed)?)));
        let Some((outcome, line)) = end else { return };
        self.phase = Phase::Over;
        self.outcome = Some(outcome.clone());
        pen.batch.append.stage = Some(Stage::Over);
        pen.batch.append.finish = Some(self.finish(&outcome, pen.at.wall));
        pen.by = None;
        self.line(line, pen);
        self.tell(Why::Over { outcome, seed: self.seed.reveal() }, &[], false, false, pen);
    }

    fn finish(&self, outcome: &Outcome, ended: u64) -> Finish {
        let players = self.places.iter().zip(&outcome.ranks).zip(&outcome.scores);
        let players = players.map(|((place, &rank), &score)| FinishedSeat {
            person: place.person().map(str::to_owned),
            name: place.name().to_owned(),
            rank,
            score,
        });
        Finish {
            id: self.id.clone(),
            game: self.terms.game.name().to_owned(),
            options: self.terms.options.get().to_owned(),
            rated: self.terms.rated,
            ended,
            players: players.collect(),
        }
    }
}
