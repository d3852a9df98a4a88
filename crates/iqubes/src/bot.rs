//! Bots, levels 1 to 5. At the dice they are a [`Player`]; here they bid, and answer proposals.

use crate::auction::Auction;
use crate::game::{Act, IQubes};
use crate::view::Public;
use letters::{Level, Player, Sight};
use table::{Bot, Intent, Time, View};

/// The strongest level of bots; the weakest is 1.
pub const LEVELS: u8 = Level::MOST;

/// A bot of a level, bounded to those there are, with luck of its own.
pub fn bot(level: u8, seed: u64) -> Box<dyn Bot<IQubes>> {
    Box::new(Robot { player: Player::new(level, seed), answer: None, offer: None })
}

struct Robot {
    player: Player,
    /// Its answer to the proposal of some moment, and when it will give it.
    answer: Option<(Time, Intent<Act>)>,
    /// Its part in the auction that ends at some moment: what it will say, and when, at this bid.
    offer: Option<(Time, u32, Intent<Act>)>,
}

impl Bot<IQubes> for Robot {
    fn next(&mut self, view: &View<'_, IQubes>) -> Option<Intent<Act>> {
        let public = view.public;
        let at_the_dice = self.at_the_dice(view);
        let answer = self.answer(view);
        let offer = public.auction.as_ref().filter(|auction| auction.awaits(view.seat));
        let offer = offer.map(|auction| self.offer(auction, public, view.now));
        [at_the_dice, answer, offer].into_iter().flatten().min_by_key(|intent| intent.at)
    }
}

impl Robot {
    fn at_the_dice(&mut self, view: &View<'_, IQubes>) -> Option<Intent<Act>> {
        let public = view.public;
        let rules = public.options.rules(&public.throw);
        let (at, step) = self.player.next(&Sight {
            now: view.now,
            seat: view.seat,
            turn: &public.turn,
            rules: &rules,
            words: public.options.words,
            rulings: &public.rulings,
        })?;
        Some(Intent { at, act: step.into() })
    }

    /// Agrees to end a game more often than not.
    fn answer(&mut self, view: &View<'_, IQubes>) -> Option<Intent<Act>> {
        let until = view.public.proposal.as_ref()?.until;
        if view.private.agreed.is_some() {
            return None;
        }
        if self.answer.as_ref().is_none_or(|(known, _)| *known != until) {
            let at = view.now.plus(1_000 + self.player.luck().below(4_000));
            let yes = self.player.luck().chance(2, 3);
            self.answer = Some((until, Intent { at, act: Act::Agree { yes } }));
        }
        self.answer.as_ref().map(|(_, intent)| intent.clone())
    }

    /// Bids what it can make, if that beats what is bid and it dares to; else passes.
    fn offer(&mut self, auction: &Auction, public: &Public, now: Time) -> Intent<Act> {
        if let Some((by, beat, intent)) = &self.offer
            && (*by, *beat) == (auction.by, auction.beat())
        {
            return intent.clone();
        }
        let rules = public.options.rules(&public.throw);
        let can = self
            .player
            .plan(&rules, public.options.words, &public.rulings)
            .count
            .unsigned_abs()
            .min(auction.most);
        let level = self.player.level();
        let bids = can > auction.beat() && level.dares(self.player.luck());
        let act = if bids { Act::Bid { count: can } } else { Act::Pass };
        let intent = Intent { at: now.plus(1_500 + self.player.luck().below(5_000)), act };
        self.offer = Some((auction.by, auction.beat(), intent.clone()));
        intent
    }
}
