-- Version 2: many nodes on one database. Later versions add files; this one never changes.

-- Who has a table, and how often it was taken over: an append with another epoch is refused.
ALTER TABLE tables ADD COLUMN owner bigint, ADD COLUMN epoch bigint NOT NULL DEFAULT 0;

-- The nodes of the house, one row for every start of a server. Runs are written no more: the clocks of a node's tables are charged up to
-- its own last sign of life.
CREATE TABLE nodes (
  node bigint PRIMARY KEY,
  began bigint NOT NULL,
  alive bigint NOT NULL,           -- its last sign of life, by the clock of the house
  until timestamptz NOT NULL       -- dead from then on, by the clock of the database
);
