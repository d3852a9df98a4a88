//! The store of a house on a database server: PostgreSQL, one writer for each node, and one commit for all who wait.
//!
//! A server has the house alone ([`Postgres::open`]) or shares it with other nodes ([`Postgres::join`]); a lock of the database keeps the two kinds
//! apart. A node lives as long as it gives signs of life, by the clock of the database. A table belongs to the node that claimed it.
//!
//! A table's rows are numbered, and every append names the number of its first row. So the key of a row says whose state is old, and whether a
//! commit that was not answered took place: a group whose connection breaks or falls silent is simply tried again, and what stands there already
//! was done. Only what the key cannot say is said by an epoch, which every claim raises: that a table was taken over by a node that has not written
//! yet, and whose it is when there is nothing to write. A group that the database refuses is written one by one, so that a bad write hurts only itself.
//! Reads and claims have a connection of their own.

mod connection;
mod games;
mod office;
mod rows;
mod writer;

pub(crate) use connection::{Line, address, bring_up, known_version, nat, take, version};
pub(crate) use office::DatabaseOffice;
pub(crate) use rows::load;

use super::meter::Meter;
use super::{
    Append, Claim, Gauges, Later, NewTable, NodeId, PATIENCE, Search, Stage, Store, StoreFault, Stored,
};
use connection::{Have, Reader, enrol, int, plain, take_for};
use protocol::http::{Best, Finished, FinishedPage, Leader, MyTable, Person, Rated};
use protocol::{PersonId, TableId};
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use tokio_postgres::Config;
use tokio_postgres::types::ToSql;
use writer::{Farewell, Job, Work, Writer};

type Values<'a> = &'a [&'a (dyn ToSql + Sync)];
type Answer<T> = oneshot::Sender<Result<T, StoreFault>>;

/// A house's store in a database.
pub struct Postgres {
    jobs: mpsc::UnboundedSender<Job>,
    reader: Arc<Reader>,
    meter: Arc<Meter>,
    secret: [u8; 32],
    last_alive: u64,
    node: NodeId,
    wall: Option<u64>,
}

impl Postgres {
    /// Opens the store in a database; makes what is not there. One server at a time may have it so.
    pub async fn open(url: &str, now: u64) -> Result<Postgres, StoreFault> {
        let config = address(url)?;
        let line = take_for(&config, Have::Alone).await?;
        Postgres::on(config, line, Have::Alone, now, None).await
    }

    /// Opens the store in a database that other nodes have too. The clock of the database is the clock of the house.
    pub async fn join(url: &str) -> Result<Postgres, StoreFault> {
        let config = address(url)?;
        let line = take_for(&config, Have::Shared).await?;
        let sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
        let now = nat(line.client.query_one(sql, &[]).await?.get(0));
        Postgres::on(config, line, Have::Shared, now, Some(now)).await
    }

    async fn on(
        config: Config,
        line: Line,
        have: Have,
        now: u64,
        wall: Option<u64>,
    ) -> Result<Postgres, StoreFault> {
        let new: [u8; 32] = crate::id::random();
        line.run(
            "INSERT INTO meta (name, value) VALUES ('secret', $1) ON CONFLICT DO NOTHING",
            &[&new.as_slice()],
        )
        .await?;
        let row = line.client.query_one("SELECT value FROM meta WHERE name = 'secret'", &[]).await?;
        let secret = <[u8; 32]>::try_from(row.get::<_, &[u8]>(0))
            .map_err(|_| StoreFault::Broken("the secret of the house has not 32 bytes".to_owned()))?;
        let sql = "SELECT greatest((SELECT max(alive) FROM runs), (SELECT max(alive) FROM nodes), 0)";
        let last_alive = nat(line.client.query_one(sql, &[]).await?.get(0));
        let node = NodeId(i64::from_le_bytes(crate::id::random()) >> 1 & i64::MAX | 1);
        let began = enrol(&line, node, have, now).await?;
        let meter = Arc::<Meter>::default();
        let (jobs, waiting) = mpsc::unbounded_channel();
        let reader = Arc::new(Reader::new(config.clone()));
        let writer = Writer { config, line: Some(line), have, node, began, meter: Arc::clone(&meter) };
        tokio::spawn(writer.run(waiting));
        Ok(Postgres { jobs, reader, meter, secret, last_alive, node, wall })
    }

    /// Does something in the writer's next transaction; answered when that is kept.
    fn write(&self, work: Work) -> Later<Option<TableId>> {
        let (answer, heard) = oneshot::channel();
        self.meter.asked();
        let sent = self.jobs.send(Job::Work(work, answer));
        Box::pin(async move {
            sent.map_err(|_| StoreFault::Closed)?;
            heard.await.map_err(|_| StoreFault::Closed)?
        })
    }

    /// Writes what waits, and ends.
    fn leave(&self, how: Farewell) -> Later<()> {
        let (done, heard) = oneshot::channel();
        let sent = self.jobs.send(Job::Close(how, done));
        Box::pin(async move {
            sent.map_err(|_| StoreFault::Closed)?;
            heard.await.map_err(|_| StoreFault::Closed)
        })
    }

    fn set(&self, work: Work) -> Later<()> {
        let done = self.write(work);
        Box::pin(async { done.await.map(drop) })
    }

    /// Reads with the readers' connection; one that says nothing for too long is given up.
    fn read<T: Send + 'static, F>(&self, work: impl FnOnce(Arc<Line>) -> F + Send + 'static) -> Later<T>
    where
        F: Future<Output = Result<T, StoreFault>> + Send,
    {
        let reader = Arc::clone(&self.reader);
        Box::pin(async move {
            let mut used = None;
            let asked = async {
                let line = reader.line().await?;
                used = Some(Arc::clone(&line));
                work(line).await
            };
            let done = timeout(PATIENCE, asked).await;
            if let (Err(_), Some(line)) = (&done, used) {
                line.hang_up();
            }
            done.unwrap_or(Err(StoreFault::Lost))
        })
    }
}

fn person(row: &tokio_postgres::Row) -> Person {
    Person { id: row.get(0), name: row.get(1) }
}

impl Store for Postgres {
    fn secret(&self) -> [u8; 32] {
        self.secret
    }

    fn last_alive(&self) -> u64 {
        self.last_alive
    }

    fn alive(&self, wall: u64) -> Later<()> {
        self.set(Work::Alive(wall))
    }

    fn make(&self, table: NewTable) -> Later<TableId> {
        let made = self.write(Work::Make(Box::new(table)));
        Box::pin(async { made.await?.ok_or_else(|| StoreFault::Broken("a new table has no id".to_owned())) })
    }

    fn append(&self, append: Append) -> Later<()> {
        self.set(Work::Append(Box::new(append)))
    }

    fn load(&self, id: TableId, now: u64) -> Later<Option<Stored>> {
        self.read(move |line| async move { rows::load(&line, &plain(id), now).await })
    }

    fn node(&self) -> NodeId {
        self.node
    }

    fn wall(&self) -> Option<u64> {
        self.wall
    }

    fn nodes(&self) -> Later<Vec<NodeId>> {
        let sql = "SELECT node FROM nodes WHERE until > clock_timestamp()";
        self.read(move |line| async move {
            Ok(line.all(sql, &[]).await?.iter().map(|row| NodeId(row.get(0))).collect())
        })
    }

    fn claim(&self, id: TableId, now: u64) -> Later<Claim> {
        let node = self.node;
        self.read(move |line| async move { rows::claim(&line, &plain(id), node, now).await })
    }

    fn gathering(&self, host: PersonId, since: u64) -> Later<u32> {
        let sql =
            "SELECT count(*) FROM tables WHERE host = $1 AND stage = $2 AND made >= $3 AND closing IS NULL";
        self.read(move |line| async move {
            let row = line.one(sql, &[&plain(host), &(Stage::Gathering as i16), &int(since)]).await?;
            Ok(row.map_or(0, |row| row.get::<_, i64>(0) as u32))
        })
    }

    fn person(&self, id: PersonId) -> Later<Option<Person>> {
        let sql = "SELECT id, name FROM people WHERE id = $1";
        self.read(move |line| async move { Ok(line.one(sql, &[&plain(id)]).await?.as_ref().map(person)) })
    }

    fn name_person(&self, person: Person, wall: u64) -> Later<()> {
        self.set(Work::Name(person, wall))
    }

    fn set_phrase(&self, id: PersonId, hash: [u8; 32]) -> Later<()> {
        self.set(Work::Phrase(id, hash))
    }

    fn by_phrase(&self, hash: [u8; 32]) -> Later<Option<Person>> {
        let sql = "SELECT id, name FROM people WHERE phrase = $1";
        self.read(
            move |line| async move { Ok(line.one(sql, &[&hash.as_slice()]).await?.as_ref().map(person)) },
        )
    }

    fn set_token(&self, id: PersonId, hash: [u8; 32]) -> Later<()> {
        self.set(Work::Token(id, hash))
    }

    fn by_token(&self, hash: [u8; 32]) -> Later<Option<Person>> {
        let sql = "SELECT id, name FROM people WHERE token = $1";
        self.read(
            move |line| async move { Ok(line.one(sql, &[&hash.as_slice()]).await?.as_ref().map(person)) },
        )
    }

    fn tables_of(&self, id: PersonId) -> Later<Vec<MyTable>> {
        let sql = "SELECT t.id, t.game, t.made FROM sitting s JOIN tables t ON t.key = s.tab
                   WHERE s.person = $1 AND t.stage < 2 AND t.closing IS NULL ORDER BY t.made DESC LIMIT 50";
        let read = |row: &tokio_postgres::Row| MyTable {
            table: row.get(0),
            game: row.get(1),
            made: nat(row.get(2)),
        };
        self.read(
            move |line| async move { Ok(line.all(sql, &[&plain(id)]).await?.iter().map(read).collect()) },
        )
    }

    fn ratings_of(&self, id: PersonId) -> Later<Vec<Rated>> {
        let sql = "SELECT game, rating, deviation, games FROM ratings WHERE person = $1 ORDER BY game";
        let read = |row: &tokio_postgres::Row| Rated {
            game: row.get(0),
            rating: row.get(1),
            deviation: row.get(2),
            games: row.get::<_, i32>(3) as u32,
        };
        self.read(
            move |line| async move { Ok(line.all(sql, &[&plain(id)]).await?.iter().map(read).collect()) },
        )
    }

    fn bests_of(&self, id: PersonId) -> Later<Vec<Best>> {
        let sql = "SELECT game, coalesce(whole, options), score, id, ended FROM bests WHERE person = $1 ORDER BY game, ended DESC LIMIT 50";
        let read = |row: &tokio_postgres::Row| Best {
            game: row.get(0),
            options: serde_json::from_str(row.get(1)).unwrap_or_default(),
            variations: Vec::new(),
            score: row.get(2),
            table: row.get(3),
            ended: nat(row.get(4)),
        };
        self.read(
            move |line| async move { Ok(line.all(sql, &[&plain(id)]).await?.iter().map(read).collect()) },
        )
    }

    fn leaders(&self, game: String, most: u32) -> Later<Vec<Leader>> {
        let sql = "SELECT p.id, p.name, r.rating, r.deviation, r.games FROM ratings r JOIN people p ON p.id = r.person
                   WHERE r.game = $1 ORDER BY r.rating - 2 * r.deviation DESC, p.id LIMIT $2";
        self.read(move |line| async move {
            let rows = line.all(sql, &[&plain(game), &i64::from(most)]).await?;
            let leader = |(place, row): (u32, &tokio_postgres::Row)| Leader {
                place,
                person: person(row),
                rating: row.get(2),
                deviation: row.get(3),
                games: row.get::<_, i32>(4) as u32,
            };
            Ok((1..).zip(&rows).map(leader).collect())
        })
    }

    fn finished(&self, search: Search) -> Later<FinishedPage> {
        self.read(move |line| async move { games::search(&line, search).await })
    }

    fn finished_at(&self, id: TableId) -> Later<Option<Finished>> {
        let sql = "SELECT n, id, game, ended, rated FROM finished WHERE id = $1";
        self.read(move |line| async move {
            let rows = line.all(sql, &[&plain(id)]).await?;
            Ok(games::with_players(&line, rows).await?.pop().map(|(_, game)| game))
        })
    }

    fn gauges(&self) -> Gauges {
        self.meter.read()
    }

    fn close(&self) -> Later<()> {
        self.leave(Farewell::Departs)
    }

    fn withdraw(&self) -> Later<()> {
        self.leave(Farewell::Withdraws)
    }
}
