//! Connections to the database: how they are made, what their faults mean, and how a server takes the house.

use super::Values;
use crate::lock;
use crate::store::{NodeId, PATIENCE, StoreFault, schema};
use std::collections::HashMap;
use std::str::FromStr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::task::AbortHandle;
use tokio::time::timeout;
use tokio_postgres::config::SslMode;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Config, NoTls, Statement};

/// What a writer locks: "parlor", as a number.
const LOCK: i64 = 0x7061_726c_6f72;
/// What is locked while the schema changes, and while ratings do.
const SCHEMA_LOCK: i64 = LOCK + 1;
pub(super) const RATINGS_LOCK: i64 = LOCK + 2;
/// A node that has given no sign of life for so long is taken for dead, in seconds.
pub(super) const LEASE: f64 = 3.0;
/// How long the server before may take to let go of the house.
const HANDOVER: Duration = Duration::from_secs(10);
/// After so long without a sign from the other machine a connection to it is broken.
const UNHEARD: Duration = Duration::from_secs(5);

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
pub(super) fn shown(config: &Config) -> String {
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
    pub(super) fn hang_up(&self) {
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

    pub(super) async fn all(
        &self,
        sql: &'static str,
        values: Values<'_>,
    ) -> Result<Vec<tokio_postgres::Row>, StoreFault> {
        Ok(self.client.query(&self.learn(sql).await?, values).await?)
    }

    pub(super) async fn one(
        &self,
        sql: &'static str,
        values: Values<'_>,
    ) -> Result<Option<tokio_postgres::Row>, StoreFault> {
        Ok(self.client.query_opt(&self.learn(sql).await?, values).await?)
    }

    pub(super) async fn run(&self, sql: &'static str, values: Values<'_>) -> Result<(), StoreFault> {
        self.count(sql, values).await.map(drop)
    }

    /// Does it; answers how many rows that changed.
    pub(super) async fn count(&self, sql: &'static str, values: Values<'_>) -> Result<u64, StoreFault> {
        Ok(self.client.execute(&self.learn(sql).await?, values).await?)
    }
}

/// Numbers as PostgreSQL keeps them.
pub(super) const fn int(number: u64) -> i64 {
    if number > i64::MAX as u64 { i64::MAX } else { number as i64 }
}

pub(crate) const fn nat(number: i64) -> u64 {
    if number < 0 { 0 } else { number as u64 }
}

/// Text as PostgreSQL can hold it: anything but the character of nothing, which no id or name has.
pub(super) fn plain(text: String) -> String {
    if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text }
}

/// The connection that all readers share.
pub(super) struct Reader {
    config: Config,
    line: tokio::sync::Mutex<Option<Arc<Line>>>,
}

impl Reader {
    pub(super) fn new(config: Config) -> Reader {
        Reader { config, line: tokio::sync::Mutex::default() }
    }

    pub(super) async fn line(&self) -> Result<Arc<Line>, StoreFault> {
        let mut line = self.line.lock().await;
        if let Some(line) = line.as_ref().filter(|line| !line.client.is_closed()) {
            return Ok(Arc::clone(line));
        }
        let new = Arc::new(Line::connect(&self.config).await?);
        *line = Some(Arc::clone(&new));
        Ok(new)
    }
}

/// How a server has a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Have {
    /// Nobody else has it.
    Alone,
    /// Other nodes may have it too.
    Shared,
}

/// Takes the house for this connection, if nobody has it who would not share it.
pub(super) async fn take_house(line: &Line, have: Have, patience: Duration) -> Result<bool, StoreFault> {
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

/// The version that this program keeps houses in.
pub(crate) const fn known_version() -> i64 {
    schema::POSTGRES.len() as i64
}

/// The version that a house is kept in; 0 where there is none.
pub(crate) async fn version(line: &Line) -> Result<i64, StoreFault> {
    if line.client.query_one("SELECT to_regclass('version') IS NULL", &[]).await?.get(0) {
        return Ok(0);
    }
    Ok(line.client.query_one("SELECT coalesce(max(version), 0) FROM version", &[]).await?.get(0))
}

/// Brings a store up to this program's version.
async fn migrate(line: &Line) -> Result<(), StoreFault> {
    line.client.batch_execute("BEGIN").await?;
    match bring_up(line).await {
        Ok(()) => Ok(line.client.batch_execute("COMMIT").await?),
        Err(fault) => {
            drop(line.client.batch_execute("ROLLBACK").await); // if this fails too, the connection is gone
            Err(fault)
        }
    }
}

/// The same, inside a transaction.
pub(crate) async fn bring_up(line: &Line) -> Result<(), StoreFault> {
    let encoding: String = line.client.query_one("SHOW server_encoding", &[]).await?.get(0);
    if encoding != "UTF8" {
        let words = format!(
            "the database is encoded as {encoding}; make one as docs/hosting.md says, with --encoding UTF8 --template template0"
        );
        return Err(StoreFault::Broken(words));
    }
    let (known, tx) = (known_version(), &line.client);
    tx.execute("SELECT pg_advisory_xact_lock($1)", &[&SCHEMA_LOCK]).await?;
    tx.batch_execute(
        "CREATE SCHEMA IF NOT EXISTS parlor; CREATE TABLE IF NOT EXISTS version (version bigint NOT NULL)",
    )
    .await?;
    let found: i64 = tx.query_one("SELECT coalesce(max(version), 0) FROM version", &[]).await?.get(0);
    if found > known {
        return Err(StoreFault::Newer { found, known });
    }
    if (1..known).contains(&found) {
        tracing::warn!(
            from = found,
            to = known,
            "this house is brought up to date; the way back is a copy that was made before: parlor backup, or pg_dump"
        );
    }
    for (version, schema) in (1_i64..).zip(schema::POSTGRES).skip(found as usize) {
        tx.batch_execute(schema).await?;
        tx.execute("INSERT INTO version (version) VALUES ($1)", &[&version]).await?;
    }
    Ok(())
}

/// The writer's connection to a house that nobody else has, with everything in place.
pub(crate) async fn take(config: &Config) -> Result<Line, StoreFault> {
    take_for(config, Have::Alone).await
}

pub(super) async fn take_for(config: &Config, have: Have) -> Result<Line, StoreFault> {
    let line = Line::connect(config).await?;
    if !take_house(&line, have, HANDOVER).await? {
        return Err(StoreFault::InUse(shown(config)));
    }
    migrate(&line).await?;
    Ok(line)
}

/// A new node, alive from now; when it began, by the clock of the house.
pub(super) async fn enrol(line: &Line, node: NodeId, have: Have, now: u64) -> Result<u64, StoreFault> {
    if have == Have::Alone {
        // Nobody else has the house: whoever had it is dead, however short a while ago that was.
        line.run("UPDATE nodes SET until = 'epoch' WHERE until > clock_timestamp()", &[]).await?;
    }
    let sql = "INSERT INTO nodes (node, began, alive, until)
               SELECT $1::bigint, greatest($2::bigint, 1 + (SELECT max(began) FROM nodes)),
                      greatest($2::bigint, (SELECT max(alive) FROM nodes)), clock_timestamp() + make_interval(secs => $3)
               RETURNING began";
    let row = line.one(sql, &[&node.0, &int(now), &LEASE]).await?;
    bury(line).await?;
    Ok(row.map_or(now, |row| nat(row.get(0))))
}

/// Dead nodes leave, but for those whose last sign of life still says where the clock of a game stands.
async fn bury(line: &Line) -> Result<(), StoreFault> {
    let sql = "DELETE FROM nodes WHERE until < clock_timestamp()
               AND node NOT IN (SELECT owner FROM tables WHERE owner IS NOT NULL AND stage = 1)";
    line.run(sql, &[]).await
}

/// A node whose start failed was never there.
pub(super) async fn withdraw(line: &Line, node: NodeId) -> Result<(), StoreFault> {
    line.run("DELETE FROM nodes WHERE node = $1", &[&node.0]).await
}
