//! What a house keeps in its folder is its owner's: nobody else may read it, at any moment.

use crate::common::House;
use server::store::office::Home;
use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Who may do what with everything in a folder, the folder itself included.
fn modes(folder: &Path) -> BTreeMap<String, u32> {
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let inside = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let files = inside.map(|entry| (entry.file_name().into_string().unwrap(), mode(&entry.path())));
    files.chain([(".".to_owned(), mode(folder))]).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn only_its_owner_may_read_what_a_house_has_a_folder_for() {
    let somewhere = tempfile::tempdir().unwrap();
    let data = somewhere.path().join("parlor/house");
    let private = [
        (".", 0o700),
        ("lock", 0o600),
        ("parlor.db", 0o600),
        ("parlor.db-shm", 0o600),
        ("parlor.db-wal", 0o600),
    ];
    let private = BTreeMap::from(private.map(|(name, mode)| (name.to_owned(), mode)));
    let house = House::at(&data, |_| {}).await;
    house.guest("Ann").await;
    assert_eq!(modes(&data), private);
    // As an older version made it, and a server that was killed left it.
    let open = somewhere.path().join("open");
    fs::create_dir(&open).unwrap();
    for name in ["lock", "parlor.db", "parlor.db-shm", "parlor.db-wal"] {
        fs::copy(data.join(name), open.join(name)).unwrap();
        fs::set_permissions(open.join(name), Permissions::from_mode(0o644)).unwrap();
    }
    fs::set_permissions(&open, Permissions::from_mode(0o755)).unwrap();
    house.close().await;
    let house = House::at(&open, |_| {}).await;
    house.guest("Ben").await;
    assert_eq!(modes(&open), private);
    house.close().await;
    // A folder that is used for other things too is not the house's to shut.
    let shared = somewhere.path().join("shared");
    fs::create_dir(&shared).unwrap();
    fs::write(shared.join("of somebody else"), "").unwrap();
    fs::set_permissions(&shared, Permissions::from_mode(0o755)).unwrap();
    House::at(&shared, |_| {}).await.close().await;
    assert_eq!(modes(&shared)["."], 0o755);
    assert_eq!(modes(&shared)["parlor.db"], 0o600);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_else_may_read_a_backup_at_any_moment() {
    let house = House::open().await;
    let db = rusqlite::Connection::open(house.data.join("parlor.db")).unwrap();
    let many = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 20000)
                INSERT INTO lines (prev, tab, kind, wall, text) SELECT 0, 1, 0, 0, hex(randomblob(500)) FROM n";
    db.execute_batch(many).unwrap();
    let copy = house.data.join("copy.db");
    let (data, file) = (house.data.clone(), copy.clone());
    let copying = std::thread::spawn(move || server::backup(&Home::Folder(data), &file).unwrap());
    let mut seen = BTreeMap::new();
    while !copying.is_finished() {
        if let Ok(found) = fs::metadata(&copy) {
            *seen.entry(found.permissions().mode() & 0o777).or_insert(0_u64) += 1;
        }
    }
    copying.join().unwrap();
    assert!(seen.len() == 1 && seen.contains_key(&0o600), "{seen:?}");
    house.close().await;
}
