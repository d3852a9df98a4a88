//! The best scores of games played alone on this machine, each with the options that it was played by.

/// So many are kept; of more, those that were played last.
const MOST: usize = 12;

/// The best scores of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bests(Vec<(String, i64)>);

impl Bests {
    /// As they were written; what cannot be read is forgotten.
    pub fn read(text: Option<&str>) -> Bests {
        Bests(text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default())
    }

    /// To be written.
    pub fn text(&self) -> String {
        serde_json::to_string(&self.0).unwrap_or_default()
    }

    /// The best score with these options.
    pub fn best(&self, options: &str) -> Option<i64> {
        self.0.iter().find(|(played, _)| played == options).map(|best| best.1)
    }

    /// Keeps a score if none with these options was higher.
    pub fn keep(&mut self, options: &str, score: i64) {
        if self.best(options).is_none_or(|best| best < score) {
            self.0.retain(|(played, _)| played != options);
            self.0.insert(0, (options.to_owned(), score));
            self.0.truncate(MOST);
        }
    }

    /// What a score is beside those kept, in a sentence.
    pub fn tell(&self, options: &str, score: i64) -> String {
        let signed = |score: i64| score.to_string().replace('-', "−");
        match self.best(options) {
            None => "Your first with these options: a best to beat.".to_owned(),
            Some(best) if best < score => format!("A new best; it was {}.", signed(best)),
            Some(best) => format!("Your best is {}.", signed(best)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_best_is_beaten_only_by_more_with_the_same_options() {
        let mut bests = Bests::read(Some("nonsense"));
        assert_eq!(bests.tell("{}", 31), "Your first with these options: a best to beat.");
        bests.keep("{}", 31);
        bests.keep("{\"young\":true}", 90);
        assert_eq!(bests.tell("{}", 31), "Your best is 31.");
        assert_eq!(bests.tell("{}", 40), "A new best; it was 31.");
        bests.keep("{}", 7);
        assert_eq!(Bests::read(Some(&bests.text())).best("{}"), Some(31));
        bests.keep("{}", 40);
        assert_eq!((bests.best("{}"), bests.best("{\"young\":true}")), (Some(40), Some(90)));
        for number in 0..20 {
            bests.keep(&number.to_string(), -number);
        }
        assert_eq!((bests.best("19"), bests.best("{}"), bests.0.len()), (Some(-19), None, MOST));
        assert_eq!(bests.tell("19", -30), "Your best is −19.");
    }
}
