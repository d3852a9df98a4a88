//! The store of a house on a database server: PostgreSQL, one writer for each node, and one commit for all who wait.
//!
//! A server has the house alone ([`Postgres::open`]) or shares it with other nodes ([`Postgres::join`]); a lock of the database keeps the two kinds
//! apart. A node lives as long as it gives signs of life, by the clock of the database. A table belongs to the node that claimed it; every claim
//! raises the table's epoch, and every append is held against it inside its own transaction, with the table's row locked: a node that was taken
//! for dead writes nothing more. A group whose connection breaks or falls silent is tried again; whether a commit that was not answered took place
//! is asked, never guessed. A group that the database refuses is written one by one, so that a bad write hurts only itself. Reads and claims have a
//! connection of their own.

use super::meter::Meter;
use super::{
    Append, By, Claim, ClockMark, Finish, FinishedSeat, Gauges, Kind, Later, NewTable, NodeId, PATIENCE, Row,
    Search, Stage, Store, StoreFault, Stored, TableKey,
};
use crate::lock;
use crate::ratings::{self, Strength};
use protocol::http::{Best, Finished, FinishedPage, Leader, MyTable, Person, Played, Rated};
use protocol::{PersonId, TableId};
use std::collections::HashMap;
use std::str::FromStr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use table::{Seed, Time};
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;
use tokio::time::timeout;
use tokio_postgres::config::SslMode;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, NoTls, Statement};

/// Every version of the schema, in order: a store of version n has the first n.
const SCHEMA: [&str; 5] = [
    include_str!("postgres.sql"),
    include_str!("postgres2.sql"),
    include_str!("postgres3.sql"),
    include_str!("postgres4.sql"),
    include_str!("postgres5.sql"),
];
/// What a writer locks: "parlor", as a number.
const LOCK: i64 = 0x7061_726c_6f72;
/// What is locked while the schema changes, and while ratings do.
const SCHEMA_LOCK: i64 = LOCK + 1;
const RATINGS_LOCK: i64 = LOCK + 2;
/// A node that has given no sign of life for so long is taken for dead, in seconds.
pub(crate) const LEASE: f64 = 3.0;
/// The most writes in one group.
const GROUP: usize = 4_096;
/// How long the server before may take to let go of the house.
const HANDOVER: Duration = Duration::from_secs(10);
/// After so long without a sign from the other machine a connection to it is broken.
const UNHEARD: Duration = Duration::from_secs(5);
/// How long it is asked at least, however late it is, whether a commit that was not answered took place.
const LAST_WORD: Duration = Duration::from_secs(1);

type Values<'a> = &'a [&'a (dyn ToSql + Sync)];
type Answer<T> = oneshot::Sender<Result<T, StoreFault>>;

/// A house's store in a database.
pub struct Postgres {
    jobs: mpsc::UnboundedSender<Job>,
    reader: Arc<Reader>,
    shared: Arc<Shared>,
    secret: [u8; 32],
    last_alive: u64,
    node: NodeId,
    wall: Option<u64>,
}

#[derive(Default)]
struct Shared {
    meter: Meter,
}

/// What is written: every kind can be tried again.
enum Work {
    Make(Box<NewTable>),
    Append(Box<Append>),
    Alive(u64),
    Name(Person, u64),
    Phrase(PersonId, [u8; 32]),
    Token(PersonId, [u8; 32]),
}

enum Job {
    Work(Work, Answer<Option<TableId>>),
    Close(oneshot::Sender<()>),
}

impl From<tokio_postgres::Error> for StoreFault {
    fn from(fault: tokio_postgres::Error) -> StoreFault {
        let Some(said) = fault.as_db_error() else {
            // Not the database's words: the way to it is broken, unless we said something wrong.
            let cause = std::error::Error::source(&fault);
            let io = cause.and_then(|cause| cause.downcast_ref::<std::io::Error>());
            let lost = fault.is_closed() || io.is_some();
            return if lost { StoreFault::Lost } else { StoreFault::Broken(fault.to_string()) };
        };
        match said.code() {
            code if *code == SqlState::DISK_FULL => StoreFault::Full,
            code if *code == SqlState::READ_ONLY_SQL_TRANSACTION => StoreFault::ReadOnly,
            code if AWAY.contains(code) => StoreFault::Lost,
            code if [SqlState::T_R_DEADLOCK_DETECTED, SqlState::LOCK_NOT_AVAILABLE].contains(code) => {
                StoreFault::Crossed
            }
            _ => StoreFault::Broken(said.to_string()),
        }
    }
}

/// A database that stops, starts, or has fallen over.
const AWAY: [SqlState; 6] = [
    SqlState::ADMIN_SHUTDOWN,
    SqlState::CRASH_SHUTDOWN,
    SqlState::CANNOT_CONNECT_NOW,
    SqlState::CONNECTION_FAILURE,
    SqlState::CONNECTION_EXCEPTION,
    SqlState::TOO_MANY_CONNECTIONS,
];

/// The address of a database, as it may be shown: without the password.
fn shown(config: &Config) -> String {
    format!("the database {}", config.get_dbname().or(config.get_user()).unwrap_or("parlor"))
}

/// Reads the address of a database: `postgres://user:password@host/name`.
pub(crate) fn address(url: &str) -> Result<Config, StoreFault> {
    let mut config = Config::from_str(url).map_err(|fault| {
        StoreFault::Broken(format!(
            "this is no address of a database ({fault}); write postgres://user@host/name"
        ))
    })?;
    if config.get_ssl_mode() == SslMode::Require {
        let words =
            "the database is spoken to without TLS; use a private network or a tunnel, and leave sslmode out";
        return Err(StoreFault::Broken(words.to_owned()));
    }
    config.ssl_mode(SslMode::Disable).connect_timeout(UNHEARD).application_name("parlor");
    // A machine that is gone, or cut off, says nothing: its system must be asked.
    config.tcp_user_timeout(UNHEARD).keepalives(true).keepalives_idle(UNHEARD);
    config.keepalives_interval(Duration::from_secs(1)).keepalives_retries(3);
    Ok(config)
}

/// A connection, with the statements it has learnt.
pub(crate) struct Line {
    pub(crate) client: Client,
    learnt: Mutex<HashMap<&'static str, Statement>>,
    /// What carries it.
    carrier: AbortHandle,
}

impl Line {
    /// A new connection. A database that takes it and then says nothing is away too.
    pub(crate) async fn connect(config: &Config) -> Result<Line, StoreFault> {
        timeout(PATIENCE, Line::dial(config)).await.unwrap_or(Err(StoreFault::Lost))
    }

    async fn dial(config: &Config) -> Result<Line, StoreFault> {
        let (client, connection) =
            config.connect(NoTls).await.map_err(|fault| match StoreFault::from(fault) {
                StoreFault::Broken(why) => StoreFault::Broken(format!("{}: {why}", shown(config))),
                other => other,
            })?;
        let carrier = tokio::spawn(async move {
            if let Err(fault) = connection.await {
                tracing::debug!(%fault, "a connection to the database broke");
            }
        });
        // What is answered is kept, whatever the database's own habit is; and when this machine is gone, its locks go soon.
        let manners = "SET search_path TO parlor;
            SET tcp_keepalives_idle TO 5; SET tcp_keepalives_interval TO 1; SET tcp_keepalives_count TO 3; SET tcp_user_timeout TO 5000;
            SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'";
        client.batch_execute(manners).await?;
        Ok(Line { client, learnt: Mutex::default(), carrier: carrier.abort_handle() })
    }

    /// Nobody waits any more for what this line was asked.
    fn hang_up(&self) {
        self.carrier.abort();
    }

    async fn learn(&self, sql: &'static str) -> Result<Statement, tokio_postgres::Error> {
        let known = lock(&self.learnt).get(sql).cloned();
        if let Some(statement) = known {
            return Ok(statement);
        }
        let statement = self.client.prepare(sql).await?;
        lock(&self.learnt).insert(sql, statement.clone());
        Ok(statement)
    }

    async fn all(
        &self,
        sql: &'static str,
        values: Values<'_>,
    ) -> Result<Vec<tokio_postgres::Row>, StoreFault> {
        Ok(self.client.query(&self.learn(sql).await?, values).await?)
    }

    async fn one(
        &self,
        sql: &'static str,
        values: Values<'_>,
    ) -> Result<Option<tokio_postgres::Row>, StoreFault> {
        Ok(self.client.query_opt(&self.learn(sql).await?, values).await?)
    }

    async fn run(&self, sql: &'static str, values: Values<'_>) -> Result<(), StoreFault> {
        self.client.execute(&self.learn(sql).await?, values).await?;
        Ok(())
    }
}

/// Numbers as PostgreSQL keeps them.
const fn int(number: u64) -> i64 {
    if number > i64::MAX as u64 { i64::MAX } else { number as i64 }
}

const fn nat(number: i64) -> u64 {
    if number < 0 { 0 } else { number as u64 }
}

/// Text as PostgreSQL can hold it: anything but the character of nothing, which no id or name has.
fn plain(text: String) -> String {
    if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text }
}

/// How a server has a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Have {
    /// Nobody else has it.
    Alone,
    /// Other nodes may have it too.
    Shared,
}

/// Takes the house for this connection, if nobody has it who would not share it.
async fn take_house(line: &Line, have: Have, patience: Duration) -> Result<bool, StoreFault> {
    let began = Instant::now();
    let sql = match have {
        Have::Alone => "SELECT pg_try_advisory_lock($1)",
        Have::Shared => "SELECT pg_try_advisory_lock_shared($1)",
    };
    loop {
        let row = line.client.query_one(sql, &[&LOCK]).await?;
        if row.get(0) {
            return Ok(true);
        }
        if began.elapsed() >= patience {
            return Ok(false);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Brings a store up to this program's version.
async fn migrate(line: &mut Line) -> Result<(), StoreFault> {
    let encoding: String = line.client.query_one("SHOW server_encoding", &[]).await?.get(0);
    if encoding != "UTF8" {
        let words = format!(
            "the database is encoded as {encoding}; make one as docs/hosting.md says, with --encoding UTF8 --template template0"
        );
        return Err(StoreFault::Broken(words));
    }
    let known = SCHEMA.len() as i64;
    let tx = line.client.transaction().await?;
    tx.execute("SELECT pg_advisory_xact_lock($1)", &[&SCHEMA_LOCK]).await?;
    tx.batch_execute(
        "CREATE SCHEMA IF NOT EXISTS parlor; CREATE TABLE IF NOT EXISTS version (version bigint NOT NULL)",
    )
    .await?;
    let found: i64 = tx.query_one("SELECT coalesce(max(version), 0) FROM version", &[]).await?.get(0);
    if found > known {
        return Err(StoreFault::Newer { found, known });
    }
    for (version, schema) in (1_i64..).zip(SCHEMA).skip(found as usize) {
        tx.batch_execute(schema).await?;
        tx.execute("INSERT INTO version (version) VALUES ($1)", &[&version]).await?;
    }
    Ok(tx.commit().await?)
}

/// The writer's connection to a house that nobody else has, with everything in place.
pub(crate) async fn take(config: &Config) -> Result<Line, StoreFault> {
    take_for(config, Have::Alone).await
}

async fn take_for(config: &Config, have: Have) -> Result<Line, StoreFault> {
    let mut line = Line::connect(config).await?;
    if !take_house(&line, have, HANDOVER).await? {
        return Err(StoreFault::InUse(shown(config)));
    }
    migrate(&mut line).await?;
    Ok(line)
}

/// A new node, alive from now; when it began, by the clock of the house.
async fn enrol(line: &Line, node: NodeId, have: Have, now: u64) -> Result<u64, StoreFault> {
    if have == Have::Alone {
        // Nobody else has the house: whoever had it is dead, however short a while ago that was.
        line.run("UPDATE nodes SET until = 'epoch' WHERE until > clock_timestamp()", &[]).await?;
    }
    let sql = "INSERT INTO nodes (node, began, alive, until)
               SELECT $1::bigint, greatest($2::bigint, 1 + (SELECT max(began) FROM nodes)), $2::bigint,
                      clock_timestamp() + make_interval(secs => $3)
               RETURNING began";
    let row = line.one(sql, &[&node.0, &int(now), &LEASE]).await?;
    Ok(row.map_or(now, |row| nat(row.get(0))))
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
        let shared = Arc::<Shared>::default();
        let (jobs, waiting) = mpsc::unbounded_channel();
        let reader = Arc::new(Reader { config: config.clone(), line: tokio::sync::Mutex::default() });
        let writer =
            Writer { config, line: Some(line), have, node, began, groups: 0, shared: Arc::clone(&shared) };
        tokio::spawn(writer.run(waiting));
        Ok(Postgres { jobs, reader, shared, secret, last_alive, node, wall })
    }

    /// Does something in the writer's next transaction; answered when that is kept.
    fn write(&self, work: Work) -> Later<Option<TableId>> {
        let (answer, heard) = oneshot::channel();
        self.shared.meter.asked();
        let sent = self.jobs.send(Job::Work(work, answer));
        Box::pin(async move {
            sent.map_err(|_| StoreFault::Closed)?;
            heard.await.map_err(|_| StoreFault::Closed)?
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

/// The connection that all readers share.
struct Reader {
    config: Config,
    line: tokio::sync::Mutex<Option<Arc<Line>>>,
}

impl Reader {
    async fn line(&self) -> Result<Arc<Line>, StoreFault> {
        let mut line = self.line.lock().await;
        if let Some(line) = line.as_ref().filter(|line| !line.client.is_closed()) {
            return Ok(Arc::clone(line));
        }
        let new = Arc::new(Line::connect(&self.config).await?);
        *line = Some(Arc::clone(&new));
        Ok(new)
    }
}

/// The one task that writes.
struct Writer {
    config: Config,
    line: Option<Line>,
    have: Have,
    node: NodeId,
    /// When this node began: who has the house alone has it as long as no later one began.
    began: u64,
    /// How many groups it has tried to write: the number of the last is its receipt.
    groups: i64,
    shared: Arc<Shared>,
}

/// How one write of a group went.
type Written = Result<Option<TableId>, StoreFault>;

/// How an attempt at a group went wrong.
enum Failed {
    /// Nothing of it was kept.
    Surely(StoreFault),
    /// The commit of this transaction was not answered.
    Perhaps,
}

impl From<StoreFault> for Failed {
    fn from(fault: StoreFault) -> Failed {
        Failed::Surely(fault)
    }
}

impl Writer {
    async fn run(mut self, mut waiting: mpsc::UnboundedReceiver<Job>) {
        let mut jobs = Vec::new();
        while waiting.recv_many(&mut jobs, GROUP).await > 0 {
            let (mut works, mut answers, mut close) = (Vec::new(), Vec::new(), None);
            for job in jobs.drain(..) {
                match job {
                    Job::Work(work, answer) => {
                        works.push(work);
                        answers.push(answer);
                    }
                    Job::Close(done) => close = Some(done),
                }
            }
            self.shared.meter.taken(works.len());
            if !works.is_empty() {
                self.group(&works, answers).await;
            }
            if let Some(done) = close {
                self.depart().await;
                let _ = done.send(()); // whoever asked has given up waiting
                return;
            }
        }
    }

    /// The node is not dead but gone: nobody need wait to be sure of it.
    async fn depart(&mut self) {
        let node = self.node.0;
        let sign_off = async {
            let sql = "UPDATE nodes SET until = clock_timestamp() WHERE node = $1";
            self.line().await?.run(sql, &[&node]).await
        };
        drop(timeout(PATIENCE, sign_off).await); // then it is noticed a little later
    }

    /// One transaction, and then everybody's answer.
    async fn group(&mut self, works: &[Work], answers: Vec<Answer<Option<TableId>>>) {
        match self.commit_in_time(works).await {
            Ok(ids) => {
                for (answer, written) in answers.into_iter().zip(ids) {
                    drop(answer.send(written)); // nobody waits any more: nothing to tell
                }
            }
            Err(fault) if works.len() > 1 && self.is_about_a_write(&fault) => {
                self.one_by_one(works, answers).await;
            }
            Err(fault) => {
                for answer in answers {
                    drop(answer.send(Err(fault.clone())));
                }
            }
        }
    }

    /// Whether the database is well and only did not like what it was given.
    fn is_about_a_write(&self, fault: &StoreFault) -> bool {
        matches!(fault, StoreFault::Broken(_)) && self.line.is_some()
    }

    /// A group that was refused as a whole, each write in a transaction of its own: a bad one hurts only itself.
    async fn one_by_one(&mut self, works: &[Work], answers: Vec<Answer<Option<TableId>>>) {
        let mut away = None;
        for (work, answer) in works.iter().zip(answers) {
            let done = match &away {
                Some(fault) => Err(StoreFault::clone(fault)),
                None => self.commit_in_time(std::slice::from_ref(work)).await,
            };
            if let Err(fault) = &done
                && !self.is_about_a_write(fault)
            {
                away = Some(fault.clone()); // the others need not wait for it one after the other
            }
            let missing = || Err(StoreFault::Broken("a write was not answered".to_owned()));
            let written = done.and_then(|mut ids| ids.pop().unwrap_or_else(missing));
            drop(answer.send(written)); // nobody waits any more: nothing to tell
        }
    }

    async fn commit_in_time(&mut self, works: &[Work]) -> Result<Vec<Written>, StoreFault> {
        let began = Instant::now();
        let done = self.try_in_time(works, began).await;
        self.shared.meter.settled(began, done.is_ok());
        if let Err(fault) = &done {
            tracing::warn!(%fault, writes = works.len(), "nothing of this group was written");
        }
        done
    }

    /// Tries until it is done, refused, or the database was away for too long.
    async fn try_in_time(&mut self, works: &[Work], began: Instant) -> Result<Vec<Written>, StoreFault> {
        loop {
            let mut ids = Vec::with_capacity(works.len());
            let tried = timeout(left(began), self.commit(works, &mut ids)).await;
            let failed = match tried.unwrap_or(Err(Failed::Perhaps)) {
                Ok(()) => return Ok(ids),
                Err(Failed::Surely(StoreFault::Crossed)) if began.elapsed() < PATIENCE => continue,
                Err(Failed::Surely(StoreFault::Lost | StoreFault::Crossed)) => StoreFault::Lost,
                Err(Failed::Surely(fault)) => return Err(fault),
                Err(Failed::Perhaps) => {
                    self.hang_up();
                    match self.took_place(began).await {
                        Ok(true) => return Ok(ids),
                        Ok(false) => StoreFault::Lost,
                        Err(fault) => fault,
                    }
                }
            };
            self.hang_up();
            if began.elapsed() >= PATIENCE || failed != StoreFault::Lost {
                return Err(failed);
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    fn hang_up(&mut self) {
        if let Some(line) = self.line.take() {
            line.hang_up();
        }
    }

    /// The connection; a new one, if the old one broke and no other server had the house meanwhile.
    async fn line(&mut self) -> Result<&mut Line, StoreFault> {
        if self.line.as_ref().is_none_or(|line| line.client.is_closed()) {
            self.line = None;
            let line = Line::connect(&self.config).await?;
            let taken = take_house(&line, self.have, PATIENCE / 2).await?;
            let latest: i64 = line.client.query_one("SELECT max(began) FROM nodes", &[]).await?.get(0);
            let later = self.have == Have::Alone && nat(latest) != self.began;
            if later || !taken && self.have == Have::Shared {
                return Err(StoreFault::InUse(shown(&self.config)));
            }
            if !taken {
                return Err(StoreFault::Lost); // by our own connection of before: the database has not noticed yet that it is gone
            }
            tracing::info!("the database is back");
            self.line = Some(line);
        }
        self.line.as_mut().ok_or(StoreFault::Lost)
    }

    async fn commit(&mut self, works: &[Work], ids: &mut Vec<Written>) -> Result<(), Failed> {
        self.groups += 1;
        let (node, group) = (self.node, self.groups);
        let line = self.line().await?;
        line.run("BEGIN", &[]).await?;
        let written = write_all(line, works, ids, node, group).await;
        let rows = match written {
            Ok(rows) => rows,
            Err(fault) => {
                // If this fails too, the connection is gone, and the transaction with it.
                if line.run("ROLLBACK", &[]).await.is_err() {
                    self.line = None;
                }
                return Err(fault.into());
            }
        };
        line.run("COMMIT", &[]).await.map_err(|fault| match fault {
            StoreFault::Lost => Failed::Perhaps,
            fault => Failed::Surely(fault),
        })?;
        self.shared.meter.added(rows);
        Ok(())
    }

    /// Whether the last group, whose commit was not answered, took place.
    async fn took_place(&mut self, began: Instant) -> Result<bool, StoreFault> {
        let (node, group) = (self.node.0, self.groups);
        // As long as the connection that began it may still be at it, the receipt is locked.
        let sql = "SELECT wrote FROM nodes WHERE node = $1 FOR NO KEY UPDATE NOWAIT";
        loop {
            let asked = timeout(left(began), async { self.line().await?.one(sql, &[&node]).await }).await;
            match asked.unwrap_or(Err(StoreFault::Lost)) {
                Ok(row) => return Ok(row.is_some_and(|row| row.get::<_, i64>(0) == group)),
                Err(StoreFault::Crossed) if began.elapsed() < PATIENCE => {}
                Err(StoreFault::Crossed) => return Ok(false),
                Err(StoreFault::Lost) if began.elapsed() < PATIENCE => self.hang_up(),
                Err(fault) => return Err(fault),
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

/// How long who began then waits on: never without end, and long enough for one more word.
fn left(began: Instant) -> Duration {
    PATIENCE.saturating_sub(began.elapsed()).max(LAST_WORD)
}

/// Writes a group inside its transaction, and its receipt; answers how many rows were added.
async fn write_all(
    line: &Line,
    works: &[Work],
    ids: &mut Vec<Written>,
    node: NodeId,
    group: i64,
) -> Result<u64, StoreFault> {
    let mut lines = Lines::default();
    let held = held(line, works).await?;
    for work in works {
        let written = match work {
            Work::Make(table) => Ok(Some(make(line, table, &mut lines).await?)),
            Work::Append(more) if held.get(&more.table.number) != Some(&more.table.epoch) => {
                Err(StoreFault::Fenced)
            }
            other => {
                write(line, other, &mut lines, node).await?;
                Ok(None)
            }
        };
        ids.push(written);
    }
    lines.write(line).await?;
    line.run("UPDATE nodes SET wrote = $1 WHERE node = $2", &[&group, &node.0]).await?;
    Ok(lines.tab.len() as u64)
}

/// The epochs of the tables that a group adds to. Nobody takes one of them over before the group is written or given up.
async fn held(line: &Line, works: &[Work]) -> Result<HashMap<i64, i64>, StoreFault> {
    let number = |work: &Work| match work {
        Work::Append(more) => Some(more.table.number),
        _ => None,
    };
    let numbers: Vec<i64> = works.iter().filter_map(number).collect();
    if numbers.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = line.all("SELECT key, epoch FROM tables WHERE key = ANY($1) FOR SHARE", &[&numbers]).await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

async fn write(line: &Line, work: &Work, lines: &mut Lines, node: NodeId) -> Result<(), StoreFault> {
    match work {
        Work::Append(more) => append(line, more, lines).await,
        Work::Alive(wall) => {
            let sql = "UPDATE nodes SET alive = $1, until = clock_timestamp() + make_interval(secs => $3) WHERE node = $2";
            line.run(sql, &[&int(*wall), &node.0, &LEASE]).await
        }
        Work::Name(person, wall) => {
            let sql = "INSERT INTO people (id, name, made) VALUES ($1, $2, $3)
                       ON CONFLICT (id) DO UPDATE SET name = excluded.name";
            line.run(sql, &[&person.id, &person.name, &int(*wall)]).await
        }
        Work::Phrase(id, hash) => {
            line.run("UPDATE people SET phrase = $2 WHERE id = $1", &[id, &hash.as_slice()]).await
        }
        Work::Token(id, hash) => {
            line.run("UPDATE people SET token = $2 WHERE id = $1", &[id, &hash.as_slice()]).await
        }
        Work::Make(_) => Ok(()),
    }
}

/// The rows of a group, column by column: they are written with one statement.
#[derive(Default)]
struct Lines {
    /// How many rows of each table there are so far.
    count: HashMap<i64, i32>,
    tab: Vec<i64>,
    nth: Vec<i32>,
    kind: Vec<i16>,
    wall: Vec<i64>,
    person: Vec<Option<String>>,
    client: Vec<Option<String>>,
    id: Vec<Option<i64>>,
    text: Vec<String>,
}

impl Lines {
    fn add(&mut self, table: i64, row: &Row) {
        let nth = self.count.entry(table).or_default();
        *nth += 1;
        self.tab.push(table);
        self.nth.push(*nth);
        self.kind.push(i16::from(row.kind == Kind::Line));
        self.wall.push(int(row.wall));
        let by = row.by.as_ref();
        self.person.push(by.map(|by| by.person.clone()));
        self.client.push(by.map(|by| by.client.clone()));
        self.id.push(by.map(|by| int(by.id)));
        self.text.push(row.text.clone());
    }

    async fn write(&self, line: &Line) -> Result<(), StoreFault> {
        if self.tab.is_empty() {
            return Ok(());
        }
        let sql = "INSERT INTO lines (tab, n, kind, wall, by_person, by_client, by_id, text)
                   SELECT new.tab, new.nth + coalesce((SELECT max(n) FROM lines old WHERE old.tab = new.tab), -1),
                          new.kind, new.wall, new.person, new.client, new.id, new.text
                   FROM unnest($1::bigint[], $2::integer[], $3::smallint[], $4::bigint[], $5::text[], $6::text[], $7::bigint[], $8::text[])
                        AS new (tab, nth, kind, wall, person, client, id, text)";
        let Lines { tab, nth, kind, wall, person, client, id, text, .. } = self;
        line.run(sql, &[tab, nth, kind, wall, person, client, id, text]).await
    }
}

async fn make(line: &Line, table: &NewTable, lines: &mut Lines) -> Result<TableId, StoreFault> {
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
    lines.add(key, first);
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

async fn append(line: &Line, append: &Append, lines: &mut Lines) -> Result<(), StoreFault> {
    let key = append.table.number;
    for row in &append.rows {
        lines.add(key, row);
    }
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

async fn finish(line: &Line, key: i64, finish: &Finish) -> Result<(), StoreFault> {
    let Finish { id, game, options, rated, ended, players } = finish;
    let sql = "INSERT INTO finished (id, game, ended, rated) VALUES ($1, $2, $3, $4) RETURNING n";
    let row = line.one(sql, &[id, game, &int(*ended), rated]).await?;
    let n: i64 =
        row.map(|row| row.get(0)).ok_or_else(|| StoreFault::Broken("a game has no number".to_owned()))?;
    let strengths = if *rated { rate(line, game, players).await? } else { vec![None; players.len()] };
    for ((seat, player), strength) in (0_i32..).zip(players).zip(strengths) {
        let FinishedSeat { person, name, rank, score } = player;
        let sql = "INSERT INTO played (n, seat, person, name, place, score, rating) VALUES ($1, $2, $3, $4, $5, $6, $7)";
        line.run(sql, &[&n, &seat, person, name, &(*rank as i32), score, &strength]).await?;
    }
    if let [FinishedSeat { person: Some(person), score, .. }] = players.as_slice() {
        let sql = "INSERT INTO bests (person, game, options, whole, score, id, ended)
                   VALUES ($1, $2, options_key($3), nullif($3, options_key($3)), $4, $5, $6)
                   ON CONFLICT (person, game, options) DO UPDATE
                   SET score = excluded.score, id = excluded.id, ended = excluded.ended WHERE excluded.score > bests.score";
        line.run(sql, &[person, game, options, score, id, &int(*ended)]).await?;
    }
    line.run("DELETE FROM sitting WHERE tab = $1", &[&key]).await
}

/// New ratings for everybody who played; answers them.
async fn rate(line: &Line, game: &str, players: &[FinishedSeat]) -> Result<Vec<Option<f64>>, StoreFault> {
    // Games that end at two nodes in one moment are rated one after the other.
    line.run("SELECT pg_advisory_xact_lock($1)", &[&RATINGS_LOCK]).await?;
    let mut before = Vec::with_capacity(players.len());
    for player in players {
        before.push(match &player.person {
            Some(person) => strength_of(line, person, game).await?,
            None => Strength::default(),
        });
    }
    let ranks: Vec<u32> = players.iter().map(|player| player.rank).collect();
    let mut new = Vec::new();
    for (player, Strength { rating, deviation, volatility }) in
        players.iter().zip(ratings::after(&before, &ranks))
    {
        let Some(person) = &player.person else {
            new.push(None);
            continue;
        };
        let sql = "INSERT INTO ratings (person, game, rating, deviation, volatility, games) VALUES ($1, $2, $3, $4, $5, 1)
                   ON CONFLICT (person, game) DO UPDATE SET rating = excluded.rating, deviation = excluded.deviation,
                   volatility = excluded.volatility, games = ratings.games + 1";
        line.run(sql, &[person, &game, &rating, &deviation, &volatility]).await?;
        new.push(Some(rating));
    }
    Ok(new)
}

async fn strength_of(line: &Line, person: &str, game: &str) -> Result<Strength, StoreFault> {
    let sql = "SELECT rating, deviation, volatility FROM ratings WHERE person = $1 AND game = $2";
    let row = line.one(sql, &[&person, &game]).await?;
    Ok(row.map_or_else(Strength::default, |row| Strength {
        rating: row.get(0),
        deviation: row.get(1),
        volatility: row.get(2),
    }))
}

/// A table and its whole life.
pub(crate) async fn load(line: &Line, id: &str, now: u64) -> Result<Option<Stored>, StoreFault> {
    let sql =
        "SELECT t.key, t.made, t.seed, t.clock_time, t.clock_wall, t.clock_runs, t.epoch, n.alive, t.claimed
               FROM tables t LEFT JOIN nodes n ON n.node = t.owner WHERE t.id = $1";
    match line.one(sql, &[&id]).await? {
        Some(row) => Ok(Some(stored(line, id, &row, now).await?)),
        None => Ok(None),
    }
}

/// Takes a table, unless a node that lives has it. What its last owner wrote is committed before the row is ours, and nothing after.
async fn claim(line: &Line, id: &str, node: NodeId, now: u64) -> Result<Claim, StoreFault> {
    let sql = "WITH old AS MATERIALIZED (SELECT * FROM tables WHERE id = $1 FOR UPDATE),
               free AS (SELECT key FROM old WHERE owner IS NULL OR owner = $2
                        OR NOT EXISTS (SELECT FROM nodes WHERE node = owner AND until > clock_timestamp())),
               taken AS (UPDATE tables SET owner = $2, epoch = tables.epoch + 1,
                         claimed = CASE WHEN owner = $2 THEN claimed ELSE $3 END FROM free WHERE tables.key = free.key
                         RETURNING tables.key, tables.epoch)
               SELECT old.key, old.made, old.seed, old.clock_time, old.clock_wall, old.clock_runs, taken.epoch, n.alive, old.claimed, old.owner
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
    let rows = rows_of(line, key.number).await?;
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
    Ok(Stored { key, made: nat(head.get(1)), seed, clock, rows })
}

async fn rows_of(line: &Line, key: i64) -> Result<Vec<Row>, StoreFault> {
    let sql = "SELECT kind, wall, by_person, by_client, by_id, text FROM lines WHERE tab = $1 ORDER BY n";
    let row = |row: tokio_postgres::Row| {
        let kind = if row.get::<_, i16>(0) == 1 { Kind::Line } else { Kind::Life };
        let by = match (row.get(2), row.get(3), row.get::<_, Option<i64>>(4)) {
            (Some(person), Some(client), Some(id)) => Some(By { person, client, id: nat(id) }),
            _ => None,
        };
        Row { kind, wall: nat(row.get(1)), by, text: row.get(5) }
    };
    Ok(line.all(sql, &[&key]).await?.into_iter().map(row).collect())
}

fn person(row: &tokio_postgres::Row) -> Person {
    Person { id: row.get(0), name: row.get(1) }
}

fn finished_game(row: &tokio_postgres::Row) -> (i64, Finished) {
    let (table, game, ended, rated) = (row.get(1), row.get(2), nat(row.get(3)), row.get(4));
    (row.get(0), Finished { table, game, ended, rated, players: Vec::new() })
}

async fn with_players(
    line: &Line,
    rows: Vec<tokio_postgres::Row>,
) -> Result<Vec<(i64, Finished)>, StoreFault> {
    let mut games: Vec<(i64, Finished)> = rows.iter().map(finished_game).collect();
    let numbers: Vec<i64> = games.iter().map(|(n, _)| *n).collect();
    let sql = "SELECT n, person, name, place, score, rating FROM played WHERE n = ANY($1) AND seat < 64 ORDER BY n, seat";
    for row in line.all(sql, &[&numbers]).await? {
        let n: i64 = row.get(0);
        if let Some((_, game)) = games.iter_mut().find(|(number, _)| *number == n) {
            let (person, name, rank) = (row.get(1), row.get(2), row.get::<_, i32>(3) as u32);
            game.players.push(Played { person, name, rank, score: row.get(4), rating: row.get(5) });
        }
    }
    Ok(games)
}

async fn search_finished(line: &Line, search: Search) -> Result<FinishedPage, StoreFault> {
    let Search { person, game, name, before, most } = search;
    let (person, game) = (person.map(plain), game.map(plain));
    // Names are cleaned of control characters, so this comes after every name that starts so.
    let last = name.as_ref().map(|name| format!("{name}\u{10ffff}"));
    let sql = match (&person, &name) {
        (Some(_), _) => {
            "SELECT n, id, game, ended, rated FROM finished WHERE n IN (SELECT n FROM played WHERE person = $1)
             AND ($2::text IS NULL OR game = $2) AND n < $5 AND ($3::text IS NULL OR $4::text IS NOT NULL) ORDER BY n DESC LIMIT $6"
        }
        (None, Some(_)) => {
            r#"SELECT n, id, game, ended, rated FROM finished WHERE n IN (SELECT n FROM played
             WHERE lower(name) COLLATE "C" >= lower($3) COLLATE "C" AND lower(name) COLLATE "C" < lower($4) COLLATE "C")
             AND ($2::text IS NULL OR game = $2) AND n < $5 AND $1::text IS NULL ORDER BY n DESC LIMIT $6"#
        }
        (None, None) => {
            "SELECT n, id, game, ended, rated FROM finished WHERE ($2::text IS NULL OR game = $2) AND n < $5
             AND $1::text IS NULL AND $3::text IS NULL AND $4::text IS NULL ORDER BY n DESC LIMIT $6"
        }
    };
    let before = int(before.unwrap_or(u64::MAX));
    let rows = line.all(sql, &[&person, &game, &name, &last, &before, &i64::from(most)]).await?;
    let games = with_players(line, rows).await?;
    let more = games.len() as u32 == most;
    let before = games.last().filter(|_| more).map(|(n, _)| nat(*n));
    Ok(FinishedPage { games: games.into_iter().map(|(_, game)| game).collect(), before })
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
        self.read(move |line| async move { load(&line, &plain(id), now).await })
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
        self.read(move |line| async move { claim(&line, &plain(id), node, now).await })
    }

    fn gathering(&self, host: PersonId, since: u64) -> Later<u32> {
        let sql = "SELECT count(*) FROM tables WHERE host = $1 AND stage = $2 AND made >= $3";
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
                   WHERE s.person = $1 AND t.stage < 2 ORDER BY t.made DESC LIMIT 50";
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
        self.read(move |line| async move { search_finished(&line, search).await })
    }

    fn finished_at(&self, id: TableId) -> Later<Option<Finished>> {
        let sql = "SELECT n, id, game, ended, rated FROM finished WHERE id = $1";
        self.read(move |line| async move {
            let rows = line.all(sql, &[&plain(id)]).await?;
            Ok(with_players(&line, rows).await?.pop().map(|(_, game)| game))
        })
    }

    fn gauges(&self) -> Gauges {
        self.shared.meter.read()
    }

    fn close(&self) -> Later<()> {
        let (done, heard) = oneshot::channel();
        let sent = self.jobs.send(Job::Close(done));
        Box::pin(async move {
            sent.map_err(|_| StoreFault::Closed)?;
            heard.await.map_err(|_| StoreFault::Closed)
        })
    }
}
