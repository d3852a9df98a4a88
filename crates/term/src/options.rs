//! Who sits round one screen and with what pieces, as it is written on the command line.

use crate::drawer::Chair;
use house::{Kind, Setting};
use protocol::Wish;
use serde_json::{Map, Value};

/// The most chairs that are put around one screen.
pub(crate) fn most_chairs(kind: Kind) -> usize {
    (*kind.about().seats.end()).min(8) as usize
}

/// Chairs from the command line: names with commas, `bot:3` for a bot of level 3.
pub(crate) fn read_chairs(kind: Kind, text: &str) -> Result<Vec<Chair>, String> {
    let most = house::levels(kind);
    let chair = |(at, name): (usize, &str)| {
        let name = name.trim();
        if name.is_empty() {
            return Err(
                "a name is missing: write names with commas between them, such as Ann,bot:3".to_owned()
            );
        }
        let Some(level) = name.strip_prefix("bot") else {
            return Ok(Chair { name: name.to_owned(), bot: None });
        };
        let level = match level.strip_prefix(':') {
            None if level.is_empty() => 2,
            None => return Ok(Chair { name: name.to_owned(), bot: None }),
            Some(level) => {
                level.parse().ok().filter(|level| (1..=most).contains(level)).ok_or_else(|| {
                    format!("there is no {name}: the bots of {kind} have the levels 1 to {most}")
                })?
            }
        };
        Ok(Chair { name: house::bot_name(at), bot: Some(level) })
    };
    text.split(',').enumerate().map(chair).collect()
}

/// Seats at a table of a server, from the command line: the first name is one's own, further ones sit beside one, and `open`
/// is for whoever comes. Answers one's own name too.
pub(crate) fn read_wishes(kind: Kind, text: &str) -> Result<(String, Vec<Wish>), String> {
    let mut own = None;
    let wish = |Chair { name, bot }: Chair| match bot {
        Some(level) => Wish::Bot { level },
        None if name == "open" => Wish::Open,
        None if own.is_none() => {
            own = Some(name);
            Wish::Me
        }
        None => Wish::Here { name },
    };
    let seats = read_chairs(kind, text)?.into_iter().map(wish).collect();
    let own = own.ok_or("name yourself among the players, such as Ann,open,bot:3")?;
    Ok((own, seats))
}

/// A set of one's own, from the text of its data file, as the option of the engine.
pub(crate) fn read_pieces(kind: Kind, text: &str) -> Result<Value, String> {
    let pieces: Value = toml::from_str(text).map_err(|why| format!("these pieces cannot be read: {why}"))?;
    let options = Value::Object(Map::from_iter([("set".to_owned(), pieces.clone())]));
    Setting::new(kind, options).map_err(|refused| refused.says)?;
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chairs_are_read_with_their_bots() {
        let chairs = read_chairs(Kind::Cubo, "Ann, bot:3,Botho").expect("chairs");
        assert_eq!(chairs.iter().map(|chair| chair.bot).collect::<Vec<_>>(), [None, Some(3), None]);
        assert!(read_chairs(Kind::Cubo, "bot:99").unwrap_err().contains("levels 1 to"));
        assert!(read_chairs(Kind::Cubo, "Ann,,Ben").is_err());
    }

    #[test]
    fn seats_at_a_server_are_ones_own_beside_one_and_open() {
        let (own, seats) = read_wishes(Kind::Cubo, "open,Ann,bot:3,Ben").expect("seats");
        let beside = Wish::Here { name: "Ben".to_owned() };
        assert_eq!(
            (own.as_str(), seats),
            ("Ann", vec![Wish::Open, Wish::Me, Wish::Bot { level: 3 }, beside])
        );
        assert!(read_wishes(Kind::Cubo, "open,bot").unwrap_err().contains("name yourself"));
    }

    #[test]
    fn the_data_files_of_all_games_are_sets_of_ones_own() {
        for kind in Kind::ALL {
            let text = house::engine(kind).house_pieces();
            if text.is_empty() {
                continue;
            }
            read_pieces(kind, text).unwrap_or_else(|why| panic!("{kind}: {why}"));
            assert!(read_pieces(kind, "name = 3").is_err(), "{kind}");
        }
        assert!(read_pieces(Kind::Cubo, "[").unwrap_err().contains("cannot be read"));
    }
}
