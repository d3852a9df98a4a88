//! `parlor doctor` looks at the machine, with or without a house; and what a first start says.

use crate::common::{House, folder, parlor, path};
use serde_json::Value;
use std::io::Read;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;
use std::process::{Command, Stdio};

/// What the doctor says of a folder, and whether all is well.
fn examined(data: &Path, listen: &str) -> (bool, Value) {
    let out = parlor(&["doctor", "--data", data.to_str().unwrap(), "--listen", listen]);
    let said = serde_json::from_slice(&out.stdout).unwrap_or_else(|why| {
        panic!("{why}: {}", String::from_utf8_lossy(&[out.stdout, out.stderr].concat()))
    });
    (out.status.success(), said)
}

/// The words about one part of the machine.
fn of(said: &Value, what: &str) -> Vec<String> {
    let signs = said["machine"].as_array().unwrap().iter().filter(|sign| sign["what"] == what);
    signs.map(|sign| format!("{} {}", sign["well"], sign["says"].as_str().unwrap())).collect()
}

#[test]
fn the_doctor_looks_at_a_machine_without_a_house_and_with_one() {
    let here = folder("machine");
    let data = here.join("data");
    let (well, said) = examined(&data, "127.0.0.1:0");
    assert!(well && said["tables"] == 0, "{said}");
    for (what, part) in
        [("port", "is free"), ("files", "files open"), ("disk", "free at"), ("clock", "can be right")]
    {
        let found = of(&said, what);
        assert!(
            found.len() == 1 && found[0].starts_with("true ") && found[0].contains(part),
            "{what}: {said}"
        );
    }
    assert!(!data.exists(), "looking makes nothing");
    let out = parlor(&["doctor", "--data", data.to_str().unwrap(), "--listen", "127.0.0.1:0", "--text"]);
    let words = String::from_utf8(out.stdout).unwrap();
    assert!(words.contains("There is no house in") && words.contains("ok disk"), "{words}");
    let house = House::open("parlor serve --listen 127.0.0.1:0 --data data", &here, &[]);
    let (well, said) = examined(&data, &house.address);
    assert!(well && of(&said, "port")[0].contains("a house is open at"), "{said}");
    assert!(of(&said, "folder")[0].contains("by nobody else"), "{said}");
    house.close();
}

#[test]
fn files_that_others_own_or_may_read_are_named_with_their_owner_and_what_to_do() {
    let here = folder("machine-owner");
    let data = here.join("data");
    House::open("parlor serve --listen 127.0.0.1:0 --data data", &here, &[]).close();
    let file = data.join("parlor.db");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    let (well, said) = examined(&data, "127.0.0.1:0");
    let told = of(&said, "folder");
    assert!(!well && told.len() == 1, "{said}");
    for part in ["false ", "parlor.db (", "644) can be opened by others", "chmod 600 "] {
        assert!(told[0].contains(part), "{part}: {said}");
    }
    // As after a restore by root: only root can make that.
    if chown(&file, Some(54_321), None).is_ok() {
        for entry in std::fs::read_dir(&data).unwrap().flatten() {
            std::fs::set_permissions(entry.path(), std::fs::Permissions::from_mode(0o600)).unwrap();
        }
        let (well, said) = examined(&data, "127.0.0.1:0");
        let told = of(&said, "folder");
        assert!(!well && told.len() == 1, "{said}");
        assert!(
            told[0].contains("parlor.db belongs to user 54321") && told[0].contains("chown -R root "),
            "{said}"
        );
    }
}

#[test]
fn a_first_start_says_in_plain_lines_what_to_do_next_and_the_second_less() {
    let here = folder("machine-start");
    let words = |listen: &str| {
        let mut child = Command::new("sh")
            .args(["-c", &format!("exec parlor serve --data data --listen {listen} --log-level off")])
            .env("PATH", path())
            .current_dir(&here)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = child.stdout.take().unwrap();
        let (mut words, mut some) = (Vec::new(), [0; 4096]);
        while !String::from_utf8_lossy(&words).contains("hone") {
            let count = out.read(&mut some).unwrap();
            assert!(count > 0, "{}", String::from_utf8_lossy(&words));
            words.extend(&some[..count]);
        }
        assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
        child.wait().unwrap();
        String::from_utf8(words).unwrap()
    };
    let first = words("127.0.0.1:0");
    for part in ["Parlor is open at http://127.0.0.1:", "choose a box", "kept in data", "parlor serve --lan"]
    {
        assert!(first.contains(part), "{part}: {first}");
    }
    assert!(!first.contains('\u{1b}') && !first.contains('█'), "{first}");
    let second = words("127.0.0.1:0");
    assert!(!second.contains("choose a box") && second.contains("parlor serve --lan"), "{second}");
}

#[test]
fn a_house_may_open_as_many_files_as_the_system_lets_it() {
    let here = folder("machine-files");
    let house = House::open(
        "sh -c 'ulimit -Sn 64; echo $$ > pid; exec parlor serve --listen 127.0.0.1:0'",
        &here,
        &[],
    );
    let pid = std::fs::read_to_string(here.join("pid")).unwrap();
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", pid.trim())).unwrap();
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    let numbers: Vec<&str> = line.split_whitespace().skip(3).take(2).collect();
    assert!(numbers[0] == numbers[1] && numbers[0] != "64", "{line}");
    house.close();
}
