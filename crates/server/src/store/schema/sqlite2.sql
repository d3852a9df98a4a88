-- Version 2: where each table ends is found in the rows, and kept beside the tables. Later versions add files; this one never changes.

-- A table's last row, and how many it has, as of the last time this was brought up to date: all rows after the last one here are newer.
CREATE TABLE ends (tab INTEGER PRIMARY KEY, last INTEGER NOT NULL, count INTEGER NOT NULL);
ALTER TABLE tables DROP COLUMN last;
DELETE FROM meta WHERE name = 'heads';
