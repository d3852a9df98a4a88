-- Version 1. Later versions add files; this one never changes.

-- What happened at the tables, in the order it was written: rows of all tables side by side, so that a moment's acts of
-- a thousand tables fill one page and not a thousand. Each row knows the one before it at the same table.
CREATE TABLE lines (
  id INTEGER PRIMARY KEY,
  prev INTEGER NOT NULL,          -- 0: the first
  tab INTEGER NOT NULL,
  kind INTEGER NOT NULL,          -- 0 life, 1 record
  wall INTEGER NOT NULL,
  by_person TEXT, by_client TEXT, by_id INTEGER,
  text TEXT NOT NULL
);

CREATE TABLE tables (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  asked TEXT NOT NULL UNIQUE,
  game TEXT NOT NULL,
  host TEXT NOT NULL,
  made INTEGER NOT NULL,
  seed TEXT NOT NULL,             -- the secret of the dice: never served before the end
  stage INTEGER NOT NULL DEFAULT 0,
  last INTEGER NOT NULL DEFAULT 0, -- its last row as of the last time heads were written
  clock_time INTEGER NOT NULL DEFAULT 0,
  clock_wall INTEGER NOT NULL DEFAULT 0,
  clock_runs INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX tables_host ON tables (host, stage, made);

CREATE TABLE sitting (person TEXT NOT NULL, tab INTEGER NOT NULL, PRIMARY KEY (person, tab)) WITHOUT ROWID;

CREATE TABLE people (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  made INTEGER NOT NULL,
  phrase BLOB UNIQUE,
  token BLOB UNIQUE
) WITHOUT ROWID;

CREATE TABLE ratings (
  person TEXT NOT NULL, game TEXT NOT NULL,
  rating REAL NOT NULL, deviation REAL NOT NULL, volatility REAL NOT NULL, games INTEGER NOT NULL,
  PRIMARY KEY (person, game)
) WITHOUT ROWID;
CREATE INDEX ratings_game ON ratings (game, rating DESC);

CREATE TABLE bests (
  person TEXT NOT NULL, game TEXT NOT NULL, options TEXT NOT NULL,
  score INTEGER NOT NULL, id TEXT NOT NULL, ended INTEGER NOT NULL,
  PRIMARY KEY (person, game, options)
) WITHOUT ROWID;

CREATE TABLE finished (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  game TEXT NOT NULL,
  ended INTEGER NOT NULL,
  rated INTEGER NOT NULL
);
CREATE INDEX finished_game ON finished (game, n);

CREATE TABLE played (
  n INTEGER NOT NULL, seat INTEGER NOT NULL,
  person TEXT, name TEXT NOT NULL, place INTEGER NOT NULL, score INTEGER NOT NULL, rating REAL,
  PRIMARY KEY (n, seat)
) WITHOUT ROWID;
CREATE INDEX played_person ON played (person, n);
CREATE INDEX played_name ON played (name COLLATE NOCASE, n);

-- When servers ran: a table's clock is charged for these times only.
CREATE TABLE runs (began INTEGER PRIMARY KEY, alive INTEGER NOT NULL);

CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
