//! A table and the rows of its life: how they are written, read, and taken over.

use super::connection::{Line, int, nat};
use super::games::finish;
use crate::store::{Append, By, Claim, ClockMark, Kind, NewTable, NodeId, Row, StoreFault, Stored, TableKey};
use protocol::TableId;
use std::collections::HashMap;
use table::{Seed, Time};

/// What the database knows of the tables that a group adds to: the epoch, and how many rows there are. Nobody takes one of them over before the group
/// is written or given up.
pub(super) struct Held(HashMap<i64, (i64, u64)>);

/// Where an append belongs.
pub(super) enum Place {
    /// After what is there.
    Next,
    /// It is there: it was written before, and that was not answered.
    Done,
    /// Nowhere: what it came from is old.
    Old,
}

impl Held {
    pub(super) async fn of(line: &Line, numbers: Vec<i64>) -> Result<Held, StoreFault> {
        if numbers.is_empty() {
            return Ok(Held(HashMap::new()));
        }
        let sql = "SELECT key, epoch, (SELECT coalesce(max(n) + 1, 0) FROM lines WHERE tab = key)::bigint
                   FROM tables WHERE key = ANY($1) FOR SHARE";
        let rows = line.all(sql, &[&numbers]).await?;
        Ok(Held(rows.iter().map(|row| (row.get(0), (row.get(1), nat(row.get(2))))).collect()))
    }

    /// Where this append belongs; the next one of the table comes after it. The key of the first row says it, and the epoch only what that cannot say.
    pub(super) async fn place(&mut self, line: &Line, more: &Append) -> Result<Place, StoreFault> {
        let Append { table: TableKey { number, epoch }, first, rows, .. } = more;
        let Some((held, count)) = self.0.get_mut(number) else { return Ok(Place::Old) };
        if !rows.is_empty()
            && *first < *count
            && rows_of(line, *number, *first, Some(rows.len() as i64)).await? == *rows
        {
            return Ok(Place::Done);
        }
        if epoch != held || !rows.is_empty() && first != count {
            return Ok(Place::Old);
        }
        *count += rows.len() as u64;
        Ok(Place::Next)
    }
}

/// The rows of a group, column by column: they are written with one statement.
#[derive(Default)]
pub(super) struct Lines {
    tab: Vec<i64>,
    n: Vec<i32>,
    kind: Vec<i16>,
    wall: Vec<i64>,
    person: Vec<Option<String>>,
    client: Vec<Option<String>>,
    id: Vec<Option<i64>>,
    text: Vec<String>,
}

impl Lines {
    /// A table's `n`th row.
    fn add(&mut self, table: i64, n: u64, row: &Row) {
        self.tab.push(table);
        self.n.push(n as i32);
        self.kind.push(i16::from(row.kind == Kind::Line));
        self.wall.push(int(row.wall));
        let by = row.by.as_ref();
        self.person.push(by.map(|by| by.person.clone()));
        self.client.push(by.map(|by| by.client.clone()));
        self.id.push(by.map(|by| int(by.id)));
        self.text.push(row.text.clone());
    }

    pub(super) fn append(&mut self, append: &Append) {
        for (n, row) in (append.first..).zip(&append.rows) {
            self.add(append.table.number, n, row);
        }
    }

    /// Writes them; answers how many. If one is there already, somebody wrote it a moment ago, most likely this group on a connection that broke while
    /// it was committed: then all must be looked at again.
    pub(super) async fn write(&self, line: &Line) -> Result<u64, StoreFault> {
        if self.tab.is_empty() {
            return Ok(0);
        }
        let sql = "INSERT INTO lines (tab, n, kind, wall, by_person, by_client, by_id, text)
                   SELECT * FROM unnest($1::bigint[], $2::integer[], $3::smallint[], $4::bigint[], $5::text[], $6::text[], $7::bigint[], $8::text[])
                   ON CONFLICT (tab, n) DO NOTHING";
        let Lines { tab, n, kind, wall, person, client, id, text } = self;
        let written = line.count(sql, &[tab, n, kind, wall, person, client, id, text]).await?;
        if written == tab.len() as u64 { Ok(written) } else { Err(StoreFault::Crossed) }
    }
}

pub(super) async fn make(line: &Line, table: &NewTable, lines: &mut Lines) -> Result<TableId, StoreFault> {
    let NewTable { id, asked, game, host, made, seed, first, sitting } = table;
    if let Some(row) = line.one("SELECT id FROM tables WHERE asked = $1", &[asked]).await? {
        return Ok(row.get(0));
    }
    let sql = "INSERT INTO tables (id, asked, game, host, made, seed) VALUES ($1, $2, $3, $4, $5, $6)
               ON CONFLICT (asked) DO NOTHING RETURNING key";
    let row = line.one(sql, &[id, asked, game, host, &int(*made), &seed.reveal()]).await?;
    let Some(key) = row.map(|row| row.get(0)) else {
        // Asked for at another node at the same moment.
        let row = line.one("SELECT id FROM tables WHERE asked = $1", &[asked]).await?;
        return row
            .map(|row| row.get(0))
            .ok_or_else(|| StoreFault::Broken("a new table has no key".to_owned()));
    };
    lines.add(key, 0, first);
    for person in sitting {
        sit(line, person, key, true).await?;
    }
    Ok(id.clone())
}

async fn sit(line: &Line, person: &str, key: i64, sits: bool) -> Result<(), StoreFault> {
    let sql = if sits {
        "INSERT INTO sitting (person, tab) VALUES ($1, $2) ON CONFLICT DO NOTHING"
    } else {
        "DELETE FROM sitting WHERE person = $1 AND tab = $2"
    };
    line.run(sql, &[&person, &key]).await
}

/// Everything that goes with an append's rows.
pub(super) async fn append(line: &Line, append: &Append) -> Result<(), StoreFault> {
    let key = append.table.number;
    if let Some(stage) = append.stage {
        line.run("UPDATE tables SET stage = $2 WHERE key = $1", &[&key, &(stage as i16)]).await?;
    }
    if let Some(ClockMark { time, wall, runs }) = append.clock {
        let sql = "UPDATE tables SET clock_time = $2, clock_wall = $3, clock_runs = $4 WHERE key = $1";
        line.run(sql, &[&key, &int(time.0), &int(wall), &runs]).await?;
    }
    for (person, sits) in &append.sitting {
        sit(line, person, key, *sits).await?;
    }
    if append.leave {
        line.run("UPDATE tables SET owner = NULL WHERE key = $1", &[&key]).await?;
    }
    match &append.finish {
        Some(end) => finish(line, key, end).await,
        None => Ok(()),
    }
}

/// A table and its whole life.
pub(crate) async fn load(line: &Line, id: &str, now: u64) -> Result<Option<Stored>, StoreFault> {
    let sql =
        "SELECT t.key, t.made, t.seed, t.clock_time, t.clock_wall, t.clock_runs, t.epoch, n.alive, t.claimed, t.closing
               FROM tables t LEFT JOIN nodes n ON n.node = t.owner WHERE t.id = $1";
    match line.one(sql, &[&id]).await? {
        Some(row) => Ok(Some(stored(line, id, &row, now).await?)),
        None => Ok(None),
    }
}

/// Takes a table, unless a node that lives has it. What its last owner wrote is committed before the row is ours, and nothing after.
pub(super) async fn claim(line: &Line, id: &str, node: NodeId, now: u64) -> Result<Claim, StoreFault> {
    let sql = "WITH old AS MATERIALIZED (SELECT * FROM tables WHERE id = $1 FOR UPDATE),
               free AS (SELECT key FROM old WHERE owner IS NULL OR owner = $2
                        OR NOT EXISTS (SELECT FROM nodes WHERE node = owner AND until > clock_timestamp())),
               taken AS (UPDATE tables SET owner = $2, epoch = tables.epoch + 1,
                         claimed = CASE WHEN owner = $2 THEN claimed ELSE $3 END FROM free WHERE tables.key = free.key
                         RETURNING tables.key, tables.epoch)
               SELECT old.key, old.made, old.seed, old.clock_time, old.clock_wall, old.clock_runs, taken.epoch, n.alive, old.claimed, old.owner, old.closing
               FROM old LEFT JOIN taken USING (key) LEFT JOIN nodes n ON n.node = old.owner";
    let Some(row) = line.one(sql, &[&id, &node.0, &int(now)]).await? else { return Ok(Claim::Unknown) };
    if row.get::<_, Option<i64>>(6).is_none() {
        return Ok(Claim::Theirs(NodeId(row.get::<_, Option<i64>>(9).unwrap_or_default())));
    }
    Ok(Claim::Mine(Box::new(stored(line, id, &row, now).await?)))
}

/// A table's life and its clock, from its head: key, made, seed, the clock's mark, the epoch, its owner's last sign of life, and since when he has it.
async fn stored(line: &Line, id: &str, head: &tokio_postgres::Row, now: u64) -> Result<Stored, StoreFault> {
    let key = TableKey { number: head.get(0), epoch: head.get::<_, Option<i64>>(6).unwrap_or_default() };
    let seed = Seed::try_from(head.get::<_, String>(2))
        .map_err(|fault| StoreFault::Broken(format!("the seed of table {id}: {fault}")))?;
    let mark = ClockMark { time: Time(nat(head.get(3))), wall: nat(head.get(4)), runs: head.get(5) };
    let rows = rows_of(line, key.number, 0, None).await?;
    let clock = match (ClockMark::last_seen(mark, &rows), head.get::<_, Option<i64>>(7)) {
        (None, _) => Time::START,
        (Some(seen), Some(alive)) => {
            // An owner who has written nothing was not there when the clock was last seen.
            let there = seen.wall >= nat(head.get(8));
            seen.charged(there.then_some(nat(alive)), now)
        }
        // Nobody's: let go with its clock standing, or kept before there were nodes.
        (Some(seen), None) => {
            let sql = "SELECT alive FROM runs WHERE began <= $1 ORDER BY began DESC LIMIT 1";
            let alive = line.one(sql, &[&int(seen.wall)]).await?;
            seen.charged(alive.map(|row| nat(row.get(0))), now)
        }
    };
    Ok(Stored { key, made: nat(head.get(1)), seed, clock, rows, closing: head.get("closing") })
}

/// A table's rows from this one on, at most so many.
async fn rows_of(line: &Line, key: i64, first: u64, most: Option<i64>) -> Result<Vec<Row>, StoreFault> {
    let sql = "SELECT kind, wall, by_person, by_client, by_id, text FROM lines WHERE tab = $1 AND n >= $2 ORDER BY n LIMIT $3";
    let row = |row: tokio_postgres::Row| {
        let kind = if row.get::<_, i16>(0) == 1 { Kind::Line } else { Kind::Life };
        let by = match (row.get(2), row.get(3), row.get::<_, Option<i64>>(4)) {
            (Some(person), Some(client), Some(id)) => Some(By { person, client, id: nat(id) }),
            _ => None,
        };
        Row { kind, wall: nat(row.get(1)), by, text: row.get(5) }
    };
    Ok(line.all(sql, &[&key, &(first as i32), &most]).await?.into_iter().map(row).collect())
}
