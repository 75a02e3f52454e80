-- A store of format 1, as markone 0.1.0 wrote it.
PRAGMA application_id = 0x4D4B3031;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE attempts (
    id INTEGER PRIMARY KEY, task TEXT NOT NULL, point TEXT NOT NULL REFERENCES points,
    start INTEGER NOT NULL, stop INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('done', 'failed')),
    error TEXT NOT NULL, seconds REAL, worker TEXT, session INTEGER REFERENCES sessions, finished TEXT
);
INSERT INTO attempts VALUES(1,'12ea4487185f03290a3f','709723cbef2349093e95',0,3,'done','',1.5,'host:1',1,'2026-11-16T14:44:18+00:00');
INSERT INTO attempts VALUES(2,'4d4cdc07ae0bd857da31','709723cbef2349093e95',3,6,'failed','Bad luck.',0.0,'host:1',1,'2026-11-16T14:44:18+00:00');
CREATE TABLE declarations (digest TEXT PRIMARY KEY, name TEXT, text TEXT, total INTEGER, added TEXT);
CREATE TABLE points (point TEXT PRIMARY KEY, scenario TEXT, version INTEGER, parameters TEXT, seed INTEGER);
INSERT INTO "points" VALUES('709723cbef2349093e95','toy',1,'{"N": 5, "alpha": 1.0, "rule": "minover"}',7);
CREATE TABLE results (
    attempt INTEGER NOT NULL REFERENCES attempts, measure TEXT NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (attempt, measure)
) WITHOUT ROWID;
INSERT INTO "results" VALUES(1,'height',X'9A9999999999B93F000000000000D0BF182D4454FB210940');
INSERT INTO "results" VALUES(1,'positive',X'000000000000F03F0000000000000000000000000000F03F');
CREATE TABLE sessions (id INTEGER PRIMARY KEY, started TEXT, code TEXT);
INSERT INTO "sessions" VALUES(1,'2026-11-16T14:44:17+00:00','{"markone": "0.1.0", "python": "3.11.7", "numpy": "2.4.6", "numba": "0.68.1", "machine": "host"}');
CREATE INDEX attempts_of_point ON attempts (point);
CREATE INDEX attempts_of_task ON attempts (task);
CREATE UNIQUE INDEX done_once ON attempts (task) WHERE status = 'done';
CREATE TRIGGER keep_attempts BEFORE UPDATE ON attempts BEGIN SELECT RAISE(ABORT, 'results only grow'); END;
CREATE TRIGGER hold_attempts BEFORE DELETE ON attempts BEGIN SELECT RAISE(ABORT, 'results only grow'); END;
CREATE TRIGGER keep_results BEFORE UPDATE ON results BEGIN SELECT RAISE(ABORT, 'results only grow'); END;
CREATE TRIGGER hold_results BEFORE DELETE ON results BEGIN SELECT RAISE(ABORT, 'results only grow'); END;
COMMIT;
