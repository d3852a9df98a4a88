//! What travels over plain HTTP.

use crate::{PersonId, TableId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Somebody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Person {
    /// The person's id.
    pub id: PersonId,
    /// The name shown.
    pub name: String,
}

/// `POST /api/me`: become a guest, or change the name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NameMe {
    /// The name wanted.
    pub name: String,
}

/// `GET /api/me`: who the cookie or token says you are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Me {
    /// You; nothing for somebody new.
    pub you: Option<Person>,
    /// Your ratings.
    pub ratings: Vec<Rated>,
    /// Your best solitaire games.
    pub bests: Vec<Best>,
    /// Your tables that are not over, the latest first.
    pub tables: Vec<MyTable>,
}

/// One of your tables that is not over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MyTable {
    /// Which table.
    pub table: TableId,
    /// The game's name.
    pub game: String,
    /// When it was made, in milliseconds since 1970.
    pub made: u64,
}

/// A rating in one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Rated {
    /// The game's name.
    pub game: String,
    /// Glicko-2 rating, 1500 for somebody new.
    pub rating: f64,
    /// How sure it is: the true strength lies within two of these, 19 times of 20.
    pub deviation: f64,
    /// How many rated games.
    pub games: u32,
}

/// One line of a leaderboard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Leader {
    /// The place, from 1.
    pub place: u32,
    /// Who.
    pub person: Person,
    /// Glicko-2 rating.
    pub rating: f64,
    /// How sure it is.
    pub deviation: f64,
    /// How many rated games.
    pub games: u32,
}

/// A personal best in a game played alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Best {
    /// The game's name.
    pub game: String,
    /// Every option of that game.
    pub options: Value,
    /// In words, what was played otherwise than the sheet has it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<String>,
    /// The score.
    pub score: i64,
    /// The table it was at.
    pub table: TableId,
    /// When it ended, in milliseconds since 1970.
    pub ended: u64,
}

/// `POST /api/me/phrase`: four words that bring this identity to another device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Phrase {
    /// The four words.
    pub words: String,
}

/// `POST /api/me/claim`: the four words, on the other device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The four words.
    pub words: String,
}

/// `POST /api/me/token`: a token for a program that plays in your name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Token {
    /// Send it as `Authorization: Bearer …`. It is shown only once.
    pub token: String,
}

/// A game of the house.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GameInfo {
    /// The game's name: `"cubo"`.
    pub game: String,
    /// The name on the box.
    pub title: String,
    /// Every option with its default.
    pub options: Value,
    /// How many may play with those: the fewest and the most.
    pub seating: (u32, u32),
    /// The strongest level of its bots.
    pub levels: u8,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Finished {
    /// Its table. The record is at `/api/games/<table>/record`.
    pub table: TableId,
    /// The game's name.
    pub game: String,
    /// When it ended, in milliseconds since 1970.
    pub ended: u64,
    /// Whether it counted for ratings.
    pub rated: bool,
    /// Who played, in order.
    pub players: Vec<Played>,
}

/// One player of a finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Played {
    /// Whose seat it was; nobody's for a bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<PersonId>,
    /// The name at the table.
    pub name: String,
    /// The place, from 1.
    pub rank: u32,
    /// The score.
    pub score: i64,
    /// The rating after the game, where it was rated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<f64>,
}

/// A page of finished games, the latest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FinishedPage {
    /// The games.
    pub games: Vec<Finished>,
    /// Ask with `before` = this for older ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<u64>,
}

/// One line of the stream that answers a long question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Thinking {
    /// How far it has come.
    Progress(Value),
    /// The answer: the last line.
    Answer(Value),
    /// There is none: the last line.
    Refused(table::Spoken),
}

/// A refusal over HTTP.
pub type Refusal = table::Spoken;
