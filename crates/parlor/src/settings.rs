//! What a house is set to: by a flag; else by the environment; else by `parlor.toml`; else as usual. There is one list of settings, the
//! flags of `parlor serve`: help, man page, environment and file all take their names from it, and its readers check every value.

use crate::answer::{Answer, Failure};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::json;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// The file that is read where none is named, if it is there.
const FILE: &str = "parlor.toml";
/// The flag that names another. It is no setting of the file itself.
const CONFIG: &str = "config";
/// The flags of every command: how it answers, not how the house is.
const ANSWERS: [&str; 3] = ["json", "text", "help"];
/// Settings that may hold a password.
const SECRET: [&str; 2] = ["database", "nats"];

/// Where a setting comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    Flag,
    Environment(String),
    File(PathBuf),
    Usual,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Flag => write!(f, "the command line"),
            Source::Environment(name) => write!(f, "{name}"),
            Source::File(path) => write!(f, "{}", path.display()),
            Source::Usual => write!(f, "as usual"),
        }
    }
}

/// A setting in force.
#[derive(Debug)]
struct Setting {
    name: String,
    values: Vec<String>,
    from: Source,
    /// Whether its flag is only there or not.
    switch: bool,
}

/// All settings, and the command line that says them.
#[derive(Debug)]
pub(crate) struct Settings {
    /// The command line, with what environment and file add to it.
    pub(crate) line: Vec<OsString>,
    all: Vec<Setting>,
}

/// The settings of a house, from a command line that was read without fault: `parlor`, `parlor serve …` or `parlor config …`.
pub(crate) fn settle(mut command: Command, line: Vec<OsString>) -> Result<Settings, Failure> {
    command.build();
    let environment = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    let near = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).collect();
    settle_in(&command, line, &environment, near)
}

type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

fn settle_in(
    command: &Command,
    mut line: Vec<OsString>,
    environment: Environment<'_>,
    variables: Vec<String>,
) -> Result<Settings, Failure> {
    let read = |line: &[OsString]| command.clone().try_get_matches_from(line).map_err(wrong);
    let mut matches = read(&line)?;
    if matches.subcommand().is_none() {
        line.push("serve".into());
        matches = read(&line)?;
    }
    let (_, said) = matches.subcommand().unwrap_or(("serve", &matches));
    let serve = command.find_subcommand("serve").ok_or_else(|| Failure::new("settings", "no settings"))?;
    let args: Vec<&Arg> = serve.get_arguments().filter(|arg| !ANSWERS.contains(&name_of(arg))).collect();
    let known: Vec<&str> = args.iter().map(|arg| name_of(arg)).collect();
    check_variables(&known, variables)?;
    let file = file(said, environment, &known)?;
    let mut all = Vec::new();
    for arg in args {
        let setting = setting(arg, said, environment, file.as_ref())?;
        if !matches!(setting.from, Source::Flag | Source::Usual) {
            let words = flags(&setting)?;
            check(command, &setting, &words)?;
            line.extend(words);
        }
        all.push(setting);
    }
    Ok(Settings { line, all })
}

impl Settings {
    /// What is in force, and where it comes from. Passwords are not shown.
    pub(crate) fn shown(&self) -> Answer {
        let value = |setting: &Setting| {
            let shown = setting.values.iter().map(|value| shown(&setting.name, value));
            if setting.values.is_empty() { "–".to_owned() } else { shown.collect::<Vec<_>>().join(", ") }
        };
        let width = self.all.iter().map(|setting| setting.name.len()).max().unwrap_or(0);
        let line = |setting: &Setting| {
            let Setting { name, from, .. } = setting;
            format!("{name:width$}  {}  ({from})\n", value(setting))
        };
        let text: String = self.all.iter().map(line).collect();
        let all: Vec<_> = self
            .all
            .iter()
            .map(|setting| json!({"setting": setting.name, "value": value(setting), "from": setting.from.to_string()}))
            .collect();
        Answer::new(text, &json!({ "settings": all }))
    }
}

/// A secret setting from the environment, for commands that have a flag of their own for it.
pub(crate) fn secret(name: &str) -> Result<Option<String>, Failure> {
    let environment = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    Ok(variable(name, &environment)?.map(|(value, _)| value))
}

/// The name of a setting: that of its flag.
fn name_of(arg: &Arg) -> &str {
    arg.get_long().unwrap_or_default()
}

/// The variable that says a setting.
fn variable_of(name: &str) -> String {
    format!("PARLOR_{}", name.replace('-', "_").to_uppercase())
}

/// What the environment says of a setting, and by which variable: itself, or the name of a file that holds it.
fn variable(name: &str, environment: Environment<'_>) -> Result<Option<(String, String)>, Failure> {
    let variable = variable_of(name);
    if let Some(value) = environment(&variable) {
        return Ok(Some((value, variable)));
    }
    let variable = format!("{variable}_FILE");
    let Some(path) = environment(&variable) else { return Ok(None) };
    let read = fs::read_to_string(&path);
    let value = read.map_err(|why| Failure::new("bad-setting", format!("{variable}: {path}: {why}")))?;
    Ok(Some((value.trim().to_owned(), variable)))
}

/// A variable that nearly says a setting says none: that is told, not passed over.
fn check_variables(known: &[&str], variables: Vec<String>) -> Result<(), Failure> {
    let right: Vec<String> =
        known.iter().flat_map(|name| [variable_of(name), format!("{}_FILE", variable_of(name))]).collect();
    for variable in variables.into_iter().filter(|name| name.starts_with("PARLOR_")) {
        if !right.contains(&variable)
            && let Some(near) = nearest(&variable, right.iter().map(String::as_str))
        {
            let says = format!("there is no setting {variable}; did you mean {near}?");
            return Err(Failure::new("bad-setting", says));
        }
    }
    Ok(())
}

/// The known name that is like this one, if any is.
fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let like = |known: &'a str| (strsim::damerau_levenshtein(name, known), known);
    known.map(like).filter(|(apart, _)| *apart <= 2).min().map(|(_, known)| known)
}

/// The file of settings, read.
struct File {
    path: PathBuf,
    table: toml::Table,
}

fn file(said: &ArgMatches, environment: Environment<'_>, known: &[&str]) -> Result<Option<File>, Failure> {
    let named = said.get_one::<PathBuf>(CONFIG).cloned();
    let named = named.or_else(|| environment(&variable_of(CONFIG)).map(PathBuf::from));
    let path = match named {
        Some(path) => path,
        None if Path::new(FILE).is_file() => PathBuf::from(FILE),
        None => return Ok(None),
    };
    let wrong = |why: String| Failure::new("bad-settings-file", format!("{}: {why}", path.display()));
    let text = fs::read_to_string(&path).map_err(|why| wrong(why.to_string()))?;
    let table: toml::Table = text.parse().map_err(|why: toml::de::Error| wrong(why.to_string()))?;
    let known: Vec<&str> = known.iter().copied().filter(|known| *known != CONFIG).collect();
    if let Some(key) = table.keys().find(|key| !known.contains(&key.as_str())) {
        let near = nearest(key, known.iter().copied());
        let hint = near.map_or_else(
            || format!("there are {}", known.join(", ")),
            |near| format!("did you mean {near}?"),
        );
        return Err(wrong(format!("there is no setting {key:?}; {hint}")));
    }
    Ok(Some(File { path, table }))
}

/// What is in force for a flag.
fn setting(
    arg: &Arg,
    said: &ArgMatches,
    environment: Environment<'_>,
    file: Option<&File>,
) -> Result<Setting, Failure> {
    let name = name_of(arg).to_owned();
    let id = arg.get_id().as_str();
    let many = matches!(arg.get_action(), ArgAction::Append);
    let switch = matches!(arg.get_action(), ArgAction::SetTrue);
    let made = |values, from| Ok(Setting { name: name.clone(), values, from, switch });
    if said.value_source(id) == Some(ValueSource::CommandLine) {
        let raw = said.get_raw(id).into_iter().flatten();
        let values: Vec<String> = raw.map(|value| value.to_string_lossy().into_owned()).collect();
        return made(values, Source::Flag);
    }
    if let Some((value, variable)) = variable(&name, environment)? {
        let values = if many { value.split_whitespace().map(str::to_owned).collect() } else { vec![value] };
        return made(values, Source::Environment(variable));
    }
    if let Some(File { path, table }) = file
        && let Some(value) = table.get(&name)
    {
        let values = words(value).ok_or_else(|| {
            let says =
                format!("{}: {name}: a word, a number, true, false, or a list of them", path.display());
            Failure::new("bad-settings-file", says)
        })?;
        return made(values, Source::File(path.clone()));
    }
    let usual = arg.get_default_values().iter();
    let values = usual.map(|value| value.to_string_lossy().into_owned()).collect();
    made(values, Source::Usual)
}

/// The values that a file gives a setting. A table gives `name=value` for each of its lines.
fn words(value: &toml::Value) -> Option<Vec<String>> {
    let word = |value: &toml::Value| match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Boolean(yes) => Some(yes.to_string()),
        _ => None,
    };
    match value {
        toml::Value::Array(all) => all.iter().map(word).collect(),
        toml::Value::Table(all) => {
            all.iter().map(|(key, value)| Some(format!("{key}={}", word(value)?))).collect()
        }
        one => Some(vec![word(one)?]),
    }
}

/// A setting as it is said on a command line.
fn flags(setting: &Setting) -> Result<Vec<OsString>, Failure> {
    let Setting { name, values, from, switch } = setting;
    if !switch {
        return Ok(values.iter().map(|value| format!("--{name}={value}").into()).collect());
    }
    match values.first().map(String::as_str) {
        Some("true" | "yes" | "1") => Ok(vec![format!("--{name}").into()]),
        Some("false" | "no" | "0" | "") | None => Ok(Vec::new()),
        Some(other) => {
            Err(Failure::new("bad-setting", format!("{from}: {name} is true or false, and not {other:?}")))
        }
    }
}

/// Reads a setting as a flag would be read, so that what is wrong with it is told with where it stands.
fn check(command: &Command, setting: &Setting, words: &[OsString]) -> Result<(), Failure> {
    let line = [OsString::from("parlor"), "serve".into()];
    let line = line.iter().chain(words).cloned();
    command.clone().try_get_matches_from(line).map(drop).map_err(|fault| {
        let says = fault.to_string();
        let lines = says.lines().take_while(|line| !line.trim().is_empty()).map(str::trim);
        let says = lines.collect::<Vec<_>>().join(" ");
        let says = says.trim_start_matches("error: ");
        Failure::new("bad-setting", format!("{}: {says}", setting.from))
    })
}

fn wrong(fault: clap::Error) -> Failure {
    Failure::new("bad-setting", fault)
}

/// A value as it may be shown: the password of an address is not.
fn shown(name: &str, value: &str) -> String {
    let Some((scheme, rest)) = value.split_once("://").filter(|_| SECRET.contains(&name)) else {
        return value.to_owned();
    };
    match rest.rsplit_once('@') {
        Some((who, place)) => {
            let person = who.split(':').next().unwrap_or_default();
            format!("{scheme}://{person}:…@{place}")
        }
        None => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// The settings of a line, with these variables and this file.
    fn settled(line: &str, variables: &[(&str, &str)], file: &str) -> Result<Settings, String> {
        let mut command = crate::Parlor::command();
        command.build();
        let mut line: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let path =
            std::env::temp_dir().join(format!("parlor-settings-{}-{}.toml", std::process::id(), unique()));
        if !file.is_empty() {
            fs::write(&path, file).unwrap();
            line.push(format!("--config={}", path.display()).into());
        }
        let said = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        let names = variables.iter().map(|(name, _)| (*name).to_owned()).collect();
        let settled = settle_in(&command, line, &said, names);
        let _ = fs::remove_file(&path);
        settled.map_err(|failure| failure.to_string())
    }

    fn unique() -> u32 {
        static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
    }

    fn of<'a>(settings: &'a Settings, name: &str) -> &'a Setting {
        settings.all.iter().find(|setting| setting.name == name).unwrap_or_else(|| panic!("no {name}"))
    }

    fn value(settings: &Settings, name: &str) -> String {
        of(settings, name).values.join(" ")
    }

    #[test]
    fn a_flag_wins_over_the_environment_and_that_over_the_file() {
        let file = "listen = \"127.0.0.1:3\"\ndata = \"c\"\nlog = \"json\"\ntrust-proxy = true";
        let environment = [("PARLOR_LISTEN", "127.0.0.1:2"), ("PARLOR_DATA", "b")];
        let settings = settled("parlor serve --listen 127.0.0.1:1", &environment, file).unwrap();
        for (name, said, from) in [
            ("listen", "127.0.0.1:1", "the command line"),
            ("data", "b", "PARLOR_DATA"),
            ("log", "json", ".toml"),
            ("trust-proxy", "true", ".toml"),
            ("log-level", "", "as usual"),
        ] {
            assert_eq!(value(&settings, name), said, "{name}");
            let source = of(&settings, name).from.to_string();
            assert!(source.ends_with(from), "{name}: {source}");
        }
        let line: Vec<_> = settings.line.iter().filter_map(|word| word.to_str()).collect();
        assert!(
            line.contains(&"--data=b") && line.contains(&"--log=json") && line.contains(&"--trust-proxy")
        );
        assert!(!line.contains(&"--listen=127.0.0.1:2"), "{line:?}");
    }

    #[test]
    fn plain_parlor_is_a_house_with_settings_too() {
        let settings = settled("parlor", &[("PARLOR_LAN", "yes")], "").unwrap();
        assert_eq!(
            settings.line.iter().filter_map(|word| word.to_str()).collect::<Vec<_>>(),
            ["parlor", "serve", "--lan"]
        );
    }

    #[test]
    fn what_may_be_said_more_than_once_is_a_list() {
        let file =
            "origin = [\"https://a.example\", \"https://b.example\"]\nlimit = { bots = 3, guests = 4 }";
        let settings = settled("parlor serve", &[], file).unwrap();
        assert_eq!(value(&settings, "origin"), "https://a.example https://b.example");
        assert_eq!(value(&settings, "limit"), "bots=3 guests=4");
        let settings = settled("parlor serve", &[("PARLOR_LIMIT", "bots=3 guests=4")], file).unwrap();
        assert_eq!(of(&settings, "limit").values, ["bots=3", "guests=4"]);
    }

    #[test]
    fn a_secret_may_be_in_a_file_and_is_not_shown() {
        let path = std::env::temp_dir().join(format!("parlor-secret-{}", std::process::id()));
        fs::write(&path, "postgres://ann:s3cret@db/house\n").unwrap();
        let settings =
            settled("parlor serve", &[("PARLOR_DATABASE_FILE", path.to_str().unwrap())], "").unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(value(&settings, "database"), "postgres://ann:s3cret@db/house");
        let answer = settings.shown();
        let (text, _) = answer.said();
        assert!(text.contains("postgres://ann:…@db/house") && !text.contains("s3cret"), "{text}");
    }

    #[test]
    fn what_is_wrong_is_told_with_where_it_stands() {
        for (variables, file, says) in [
            (&[][..], "listn = \"127.0.0.1:1\"", "did you mean listen?"),
            (&[], "weather = 3", "there are listen"),
            (&[], "listen = 3.5", "a word, a number"),
            (&[], "config = \"other.toml\"", "no setting \"config\""),
            (&[], "listen = [", ".toml"),
            (&[("PARLOR_LISTN", "127.0.0.1:1")], "", "did you mean PARLOR_LISTEN?"),
            (&[("PARLOR_LISTEN", "nowhere")], "", "PARLOR_LISTEN: invalid value 'nowhere'"),
            (&[("PARLOR_LOG_LEVEL", "loud")], "", "is no level"),
            (&[("PARLOR_LOG", "xml")], "", "possible values: text, json"),
            (&[("PARLOR_TRUST_PROXY", "perhaps")], "", "true or false"),
            (&[("PARLOR_DATABASE_FILE", "/no/such/file")], "", "/no/such/file"),
            (&[("PARLOR_CONFIG", "/no/such/file")], "", "/no/such/file"),
        ] {
            let said = settled("parlor serve", variables, file).expect_err(says);
            assert!(said.contains(says), "{variables:?} {file}: {said}");
        }
        // What tests and chores are told by is nobody's slip.
        assert!(settled("parlor serve", &[("PARLOR_PROGRAM", "x")], "").is_ok());
    }
}
