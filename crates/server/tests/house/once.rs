//! Exactly once: a command that was answered and is sent again changes nothing, whatever others did meanwhile, and after a restart.

use crate::common::{Guest, House, Pair, Wire};
use serde_json::{Value, json};

/// The number of the bet that is sent again.
const BET: u64 = 900;

/// Two people at a game of roulette; Ann has laid a bet.
async fn with_a_bet(house: &House) -> (Pair, Value) {
    let mut pair = house.pair(json!({"throws": 3, "window": 3600})).await;
    let done = bet(&mut pair.a, &pair.table).await;
    (pair, done)
}

/// Lays the bet, or says that it was laid.
async fn bet(wire: &mut Wire, table: &str) -> Value {
    let act = json!({"do": "lay", "bets": ["black=1"]});
    wire.send(&json!({"cmd": "act", "id": BET, "table": table, "act": act})).await;
    let answer = wire.answer(BET).await;
    assert_eq!(answer["msg"], "done", "{answer}");
    answer
}

/// So many new clients of a guest, all of whose commands are refused.
async fn annoy(house: &House, guest: &Guest, table: &str, clients: usize, code: &str) {
    for client in 0..clients {
        let mut wire = Wire::open(house.address, guest, &format!("annoying{client}")).await;
        let act = json!({"cmd": "act", "table": table, "seat": 0, "act": {"do": "clear"}});
        assert_eq!(wire.refused(act).await, code);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_do_not_make_a_table_forget_what_was_answered() {
    let house = House::open().await;
    let (mut pair, done) = with_a_bet(&house).await;
    let stranger = house.guest("Eve").await;
    annoy(&house, &stranger, &pair.table, 40, "not-seated").await;
    assert_eq!(bet(&mut pair.a, &pair.table).await, done, "the bet was laid twice");
    // Nor does the other player, from as many clients as he likes.
    annoy(&house, &pair.ben, &pair.table, 40, "not-your-seat").await;
    assert_eq!(bet(&mut pair.a, &pair.table).await, done, "the bet was laid twice");
    assert_eq!(pair.b.view(&pair.table).await["seq"], done["seq"]);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_on_disk_is_remembered_after_a_restart_whoever_comes_first() {
    let house = House::open().await;
    let (pair, done) = with_a_bet(&house).await;
    let stranger = house.guest("Eve").await;
    let client = pair.a.client.clone();
    let folder = house.close().await.unwrap();
    let house = House::at(folder.path(), |_| {}).await;
    annoy(&house, &stranger, &pair.table, 40, "not-seated").await;
    annoy(&house, &pair.ben, &pair.table, 40, "not-your-seat").await;
    let mut ann = Wire::open(house.address, &pair.ann, &client).await;
    assert_eq!(bet(&mut ann, &pair.table).await, done, "the bet was laid twice");
    assert_eq!(ann.view(&pair.table).await["seq"], done["seq"]);
    house.close().await;
}
