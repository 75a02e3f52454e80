-- A store of format 3: the names of points as text, their parameters with all keys, values as float64.
PRAGMA application_id = 0x4D4B3031;
PRAGMA user_version = 3;
BEGIN TRANSACTION;
CREATE TABLE attempts (
    id INTEGER PRIMARY KEY, point INTEGER NOT NULL REFERENCES points,
    start INTEGER NOT NULL, stop INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('done', 'failed')),
    error TEXT NOT NULL, seconds REAL NOT NULL, worker INTEGER NOT NULL REFERENCES workers,
    session INTEGER NOT NULL REFERENCES sessions, finished INTEGER NOT NULL,
    measures INTEGER NOT NULL REFERENCES measures, data BLOB NOT NULL, checksum INTEGER NOT NULL
);
INSERT INTO "attempts" VALUES(1,1,0,3,'done','',1.5,1,1,1794926884,1,X'9A9999999999B93F000000000000D0BF182D4454FB210940000000000000F03F0000000000000000000000000000F03F',814328159);
INSERT INTO "attempts" VALUES(2,1,3,6,'failed','Bad luck.',0.0,2,1,1794926884,2,X'',2517819341);
CREATE TABLE declarations (digest TEXT PRIMARY KEY, name TEXT, text TEXT, total INTEGER, added TEXT);
CREATE TABLE measures (id INTEGER PRIMARY KEY, names TEXT NOT NULL UNIQUE);
INSERT INTO "measures" VALUES(1,'height
positive');
INSERT INTO "measures" VALUES(2,'');
CREATE TABLE points (
    id INTEGER PRIMARY KEY, point TEXT NOT NULL UNIQUE,
    scenario TEXT, version INTEGER, parameters TEXT, seed INTEGER
);
INSERT INTO "points" VALUES(1,'709723cbef2349093e95','toy',1,'{"N": 5, "alpha": 1.0, "rule": "minover"}',7);
CREATE TABLE sessions (id INTEGER PRIMARY KEY, started TEXT, code TEXT);
INSERT INTO "sessions" VALUES(1,'2026-11-17T14:48:04+00:00','{"markone": "0.1.0", "commit": "", "source": "e897e3d3b433", "python": "3.11.7", "numpy": "2.4.6", "scipy": "1.17.1", "numba": "0.68.1", "platform": "Linux", "machine": "host", "own code": ""}');
CREATE TABLE started (task TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE tally (done INTEGER NOT NULL, failed INTEGER NOT NULL, sum INTEGER NOT NULL, last INTEGER);
INSERT INTO "tally" VALUES(1,1,3332147500,1794926884);
CREATE TABLE workers (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, code TEXT NOT NULL, cpu TEXT NOT NULL,
    UNIQUE (name, code, cpu)
);
INSERT INTO "workers" VALUES(1,'host:1','0.2.0 3f9a01c2b17e','{"compiled for": "znver3"}');
INSERT INTO "workers" VALUES(2,'host:1','','');
CREATE UNIQUE INDEX done_once ON attempts (point, start, stop) WHERE status = 'done';
CREATE INDEX failed_blocks ON attempts (point, start, stop) WHERE status = 'failed';
CREATE TRIGGER keep_attempts BEFORE UPDATE ON attempts BEGIN SELECT RAISE(ABORT, 'results only grow'); END;
CREATE TRIGGER hold_attempts BEFORE DELETE ON attempts BEGIN SELECT RAISE(ABORT, 'results only grow'); END;
COMMIT;
