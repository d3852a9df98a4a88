-- When a table's owner took it: a clock that was last seen before that was another's, and its owner's signs of life do not count for it.
ALTER TABLE tables ADD COLUMN claimed bigint NOT NULL DEFAULT 0;
