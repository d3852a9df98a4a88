-- A node's receipt: the number of the last group of writes that it committed, written with the group. When a commit is not answered, this says
-- whether it took place. (The number of the transaction would not: one that a crash wiped out is given to another transaction afterwards.)
ALTER TABLE nodes ADD COLUMN wrote bigint NOT NULL DEFAULT 0;
