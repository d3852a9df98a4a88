//! What only runs elsewhere, on a release or where containers are built, read here with care: the Containerfile and the workflow.

use crate::files::read;
use crate::sh;

/// An instruction of a Containerfile, and what stands behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Instruction {
    pub(crate) name: String,
    pub(crate) rest: String,
}

/// The instructions that builders know (of the reference of Dockerfiles, without those that are deprecated).
const KNOWN: [&str; 17] = [
    "ADD",
    "ARG",
    "CMD",
    "COPY",
    "ENTRYPOINT",
    "ENV",
    "EXPOSE",
    "FROM",
    "HEALTHCHECK",
    "LABEL",
    "ONBUILD",
    "RUN",
    "SHELL",
    "STOPSIGNAL",
    "USER",
    "VOLUME",
    "WORKDIR",
];

/// The instructions of the image, one stage after the other.
pub(crate) fn containerfile() -> Result<Vec<Vec<Instruction>>, String> {
    stages(&read(&sh::root().join("Containerfile"))?)
}

fn stages(text: &str) -> Result<Vec<Vec<Instruction>>, String> {
    let mut stages: Vec<Vec<Instruction>> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (name, rest) =
            line.split_once(' ').ok_or_else(|| format!("{line}: an instruction of nothing"))?;
        if !KNOWN.contains(&name) {
            return Err(format!("{name} is not an instruction of a Containerfile: {line}"));
        }
        if name == "FROM" {
            stages.push(Vec::new());
        }
        let stage = stages.last_mut().ok_or_else(|| format!("{line}: stands before the first FROM"))?;
        stage.push(Instruction { name: name.to_owned(), rest: rest.trim().to_owned() });
    }
    if stages.is_empty() { Err("no FROM".to_owned()) } else { Ok(stages) }
}

/// What an image starts, as whom, where it may write, and how it is asked whether it is well.
pub(crate) struct Service {
    pub(crate) user: String,
    pub(crate) volume: String,
    pub(crate) serve: Vec<String>,
    pub(crate) check: Vec<String>,
}

/// The service of the last stage, at this address in the place of its own.
pub(crate) fn service(stages: &[Vec<Instruction>], address: &str) -> Result<Service, String> {
    let image = stages.last().ok_or("no stage")?;
    let rest = |name: &str| {
        let found = image.iter().rev().find(|instruction| instruction.name == name);
        found.map(|instruction| instruction.rest.clone()).ok_or_else(|| format!("no {name}"))
    };
    let words = |name: &str| -> Result<Vec<String>, String> {
        let rest = rest(name)?;
        let list = rest.find('[').map_or("", |at| &rest[at..]);
        let words: Vec<String> = serde_json::from_str(list).map_err(|why| format!("{name} {rest}: {why}"))?;
        let own = ["0.0.0.0:7777", "127.0.0.1:7777"];
        Ok(words
            .into_iter()
            .map(|word| if own.contains(&&*word) { address.to_owned() } else { word })
            .collect())
    };
    let serve = [words("ENTRYPOINT")?, words("CMD")?].concat();
    Ok(Service { user: rest("USER")?, volume: rest("VOLUME")?, serve, check: words("HEALTHCHECK")? })
}

/// What is wrong with an image that must not be root, must be readable only, and must keep one volume.
pub(crate) fn faults(stages: &[Vec<Instruction>]) -> Vec<String> {
    let mut faults = Vec::new();
    let Some(image) = stages.last() else { return vec!["no stage".to_owned()] };
    let all = |name: &str| -> Vec<&str> {
        image.iter().filter(|it| it.name == name).map(|it| it.rest.as_str()).collect()
    };
    let names: Vec<&str> = stages.iter().filter_map(|stage| stage[0].rest.split(" AS ").nth(1)).collect();
    for copy in all("COPY") {
        let from = copy.split(' ').find_map(|word| word.strip_prefix("--from="));
        if !from.is_some_and(|from| names.contains(&from)) {
            faults.push(format!("COPY {copy}: from a stage that is not there"));
        }
    }
    let user = all("USER").last().copied().unwrap_or("0");
    if user.split(':').any(|id| !id.parse::<u32>().is_ok_and(|id| id > 0)) {
        faults.push(format!("USER {user}: only a number says for sure that it is not root"));
    }
    let (volumes, command) = (all("VOLUME"), all("CMD"));
    let words: Vec<String> =
        command.first().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let data = words.iter().skip_while(|word| *word != "--data").nth(1);
    if volumes.len() != 1 || data.map(String::as_str) != volumes.first().copied() {
        faults.push(format!("the games go to {data:?}, and the volumes are {volumes:?}"));
    }
    if all("WORKDIR") != volumes {
        faults.push("what is written where the program stands must land in the volume".to_owned());
    }
    for name in ["ENTRYPOINT", "CMD"] {
        if !matches!(all(name)[..], [one] if one.starts_with('[')) {
            faults.push(format!("{name}: once, and as a list of words: there is no shell"));
        }
    }
    if !matches!(all("HEALTHCHECK")[..], [one] if one.contains("CMD [")) {
        faults.push("HEALTHCHECK: once, and as a list of words".to_owned());
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use saphyr::{LoadableYamlNode, Yaml};

    #[test]
    fn the_image_is_not_root_keeps_one_volume_and_needs_no_shell() {
        assert_eq!(faults(&containerfile().unwrap()), [""; 0]);
    }

    #[test]
    fn what_is_wrong_with_an_image_is_found() {
        let good = read(&sh::root().join("Containerfile")).unwrap();
        for (from, to, says) in [
            ("USER 65532:65532", "USER root", "USER root"),
            ("USER 65532:65532", "USER 0:0", "USER 0:0"),
            ("VOLUME /house", "VOLUME /data", "volumes"),
            ("WORKDIR /house", "WORKDIR /", "must land in the volume"),
            ("--from=build /parlor", "--from=built /parlor", "not there"),
            ("ENTRYPOINT [\"/usr/bin/parlor\"]", "ENTRYPOINT /usr/bin/parlor", "ENTRYPOINT"),
        ] {
            assert!(good.contains(from), "{from}");
            let found = faults(&stages(&good.replace(from, to)).unwrap());
            assert!(found.iter().any(|fault| fault.contains(says)), "{to}: {found:?}");
        }
        let said = stages("FROM scratch\nVOLUMES /house\n").unwrap_err();
        assert!(said.contains("VOLUMES"), "{said}");
    }

    /// Every line of the workflow that runs something.
    fn commands(node: &Yaml, found: &mut Vec<String>) {
        if let Some(map) = node.as_mapping() {
            for (key, value) in map {
                match (key.as_str(), value.as_str()) {
                    (Some("run"), Some(text)) => found.extend(text.lines().map(str::to_owned)),
                    _ => commands(value, found),
                }
            }
        } else if let Some(list) = node.as_sequence() {
            for value in list {
                commands(value, found);
            }
        }
    }

    #[test]
    fn the_release_workflow_can_be_read_and_calls_only_what_there_is() {
        let text = read(&sh::root().join(".github/workflows/release.yml")).unwrap();
        let workflow = Yaml::load_from_str(&text).unwrap();
        let mut lines = Vec::new();
        commands(&workflow[0], &mut lines);
        let parts: Vec<&str> = lines.iter().flat_map(|line| line.split(" && ")).collect();
        assert!(parts.contains(&"cargo xtask dist"), "{parts:?}");
        for part in parts {
            let mut words = part.split_whitespace().skip_while(|word| *word == "sudo");
            let program = words.next().unwrap_or_default();
            let runner = ["apt-get", "dpkg", "gh", "rustup", "sleep"];
            assert!(runner.contains(&program) || ["cargo", "parlor"].contains(&program), "{part}");
            if program == "cargo" {
                assert_eq!(words.next(), Some("xtask"), "{part}");
                let chore = format!("\n  {} ", words.next().unwrap());
                assert!(crate::HELP.contains(&chore), "{part}");
            }
        }
        let systems = &workflow[0]["jobs"]["package"]["strategy"]["matrix"]["os"];
        let systems: Vec<&str> = systems.as_sequence().unwrap().iter().filter_map(Yaml::as_str).collect();
        for (system, wanted) in [("ubuntu", 2), ("-arm", 1), ("macos", 1), ("windows", 1)] {
            let there = systems.iter().filter(|name| name.contains(system)).count();
            assert_eq!(there, wanted, "{system} in {systems:?}");
        }
    }
}
