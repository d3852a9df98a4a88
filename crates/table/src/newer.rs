//! What a newer server sends. Pieces and options are strict where people write them: a misspelt option must not be
//! passed over. The same types come back inside views, and there a field that is unknown here is only news from a later
//! version, and no reason to show nothing. [`known`] and [`read`] take what they know of it.

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeOwned, Error, IntoDeserializer, Visitor};
use serde::{Deserialize, Deserializer, forward_to_deserialize_any};
use serde_json::{Map, Value};

/// Reads a part of a view whose type is strict elsewhere: `#[serde(deserialize_with = "table::newer::known")]`.
pub fn known<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<T, D::Error> {
    read(Value::deserialize(from)?).map_err(D::Error::custom)
}

/// Reads a value; fields of structs that are unknown here are passed over. (Inside a tagged enum serde asks the enum
/// itself what is strict: keep those lenient by their own attributes.)
///
/// ```
/// #[derive(serde::Deserialize)]
/// #[serde(deny_unknown_fields)]
/// struct Clock {
///     seconds: u32,
/// }
/// let newer = serde_json::json!({"seconds": 90, "pauses": true});
/// assert!(serde_json::from_value::<Clock>(newer.clone()).is_err());
/// assert_eq!(table::newer::read::<Clock>(newer)?.seconds, 90);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn read<T: DeserializeOwned>(value: Value) -> Result<T, serde_json::Error> {
    T::deserialize(Lenient(value))
}

/// Shows a struct only the fields that it asks for.
struct Lenient(Value);

impl IntoDeserializer<'_, serde_json::Error> for Lenient {
    type Deserializer = Lenient;

    fn into_deserializer(self) -> Lenient {
        self
    }
}

fn fields<'de, V: Visitor<'de>>(all: Map<String, Value>, visitor: V) -> Result<V::Value, serde_json::Error> {
    let mut fields = MapDeserializer::new(all.into_iter().map(|(name, value)| (name, Lenient(value))));
    let read = visitor.visit_map(&mut fields)?;
    fields.end()?;
    Ok(read)
}

impl<'de> Deserializer<'de> for Lenient {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, serde_json::Error> {
        match self.0 {
            Value::Array(items) => {
                let mut items = SeqDeserializer::new(items.into_iter().map(Lenient));
                let read = visitor.visit_seq(&mut items)?;
                items.end()?;
                Ok(read)
            }
            Value::Object(all) => fields(all, visitor),
            plain => plain.deserialize_any(visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, serde_json::Error> {
        match self.0 {
            Value::Object(mut all) => {
                all.retain(|name, _| names.contains(&&**name));
                fields(all, visitor)
            }
            other => Lenient(other).deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, serde_json::Error> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, serde_json::Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, serde_json::Error> {
        self.0.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::collections::BTreeMap;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Colour {
        Red,
        DarkBlue,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Face {
        at: (u8, i8),
        colour: Colour,
    }

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Whole {
        name: String,
        faces: Vec<Face>,
        by: BTreeMap<String, Option<Face>>,
        share: f64,
    }

    #[test]
    fn what_is_unknown_is_passed_over_at_every_depth() {
        let face = json!({"at": [3, -1], "colour": "dark-blue", "glow": {"how": "much"}});
        let newer = json!({"name": "Mine", "faces": [face], "by": {"Ann": face, "Ben": null}, "share": 0.5, "born": [1]});
        assert!(serde_json::from_value::<Whole>(newer.clone()).is_err());
        let one = || Face { at: (3, -1), colour: Colour::DarkBlue };
        let by = BTreeMap::from([("Ann".to_owned(), Some(one())), ("Ben".to_owned(), None)]);
        let whole = Whole { name: "Mine".to_owned(), faces: vec![one()], by, share: 0.5 };
        assert_eq!(read::<Whole>(newer).unwrap(), whole);
        assert_eq!(read::<Whole>(json!({})).unwrap(), Whole::default(), "what is missing takes its default");
        assert_eq!(read::<Vec<Colour>>(json!(["red"])).unwrap(), [Colour::Red]);
    }

    #[test]
    fn what_is_wrong_is_still_wrong() {
        for wrong in [
            json!({"faces": 3}),
            json!({"faces": [{"at": [3], "colour": "red"}]}),
            json!({"faces": [{"at": [3, 1, 1], "colour": "red"}]}),
            json!({"faces": [{"at": [3, 1], "colour": "mauve"}]}),
            json!({"faces": [{"colour": "red"}]}),
            json!({"by": []}),
            json!(null),
        ] {
            assert!(read::<Whole>(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
