-- The schema of 1.0 in a folder. A statement ends at an empty line.
-- A column takes values of its type alone (STRICT): no half of a minor unit comes into the books.
-- Balances are kept beside the postings, in the same transaction, and can be recomputed from them; so are sums of
-- results. Answers and results are appended. Each index has a question that would read everything without it.

CREATE TABLE casinos (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, state TEXT NOT NULL, founded REAL NOT NULL) STRICT;

CREATE TABLE players (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, language TEXT NOT NULL, state TEXT NOT NULL,
    joined REAL NOT NULL) STRICT;

CREATE TABLE identities (
    platform TEXT NOT NULL, name TEXT NOT NULL, player INTEGER NOT NULL REFERENCES players,
    PRIMARY KEY (platform, name)) WITHOUT ROWID, STRICT;

CREATE INDEX identities_by_player ON identities (player);

CREATE TABLE members (
    casino INTEGER NOT NULL REFERENCES casinos, player INTEGER NOT NULL REFERENCES players, joined REAL NOT NULL,
    state TEXT NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL, look TEXT NOT NULL, capitals TEXT NOT NULL,
    PRIMARY KEY (casino, player)) WITHOUT ROWID, STRICT;

CREATE INDEX members_by_player ON members (player);

CREATE INDEX members_by_look ON members (casino, look);

CREATE INDEX members_by_capitals ON members (casino, capitals);

CREATE TABLE seen (player INTEGER PRIMARY KEY REFERENCES players, casino INTEGER, began REAL, last REAL) STRICT;

CREATE TABLE usernames (
    platform TEXT NOT NULL, username TEXT NOT NULL, account TEXT NOT NULL, PRIMARY KEY (platform, username))
    WITHOUT ROWID, STRICT;

CREATE TABLE browsers (
    id TEXT PRIMARY KEY, token TEXT NOT NULL, former TEXT NOT NULL, turned REAL NOT NULL, shown REAL,
    began REAL NOT NULL, seen REAL NOT NULL, kind TEXT NOT NULL) WITHOUT ROWID, STRICT;

CREATE TABLE sessions (
    browser TEXT NOT NULL REFERENCES browsers, account TEXT NOT NULL, began REAL NOT NULL, ended REAL,
    PRIMARY KEY (browser, account)) WITHOUT ROWID, STRICT;

CREATE INDEX sessions_by_account ON sessions (account);

CREATE TABLE phrases (account TEXT PRIMARY KEY, phrase TEXT NOT NULL UNIQUE, made REAL NOT NULL)
    WITHOUT ROWID, STRICT;

CREATE TABLE tables (
    id INTEGER PRIMARY KEY, casino INTEGER NOT NULL REFERENCES casinos, game TEXT NOT NULL, status TEXT NOT NULL,
    state TEXT NOT NULL) STRICT;

CREATE TABLE places (
    platform TEXT NOT NULL, address TEXT NOT NULL, casino INTEGER NOT NULL REFERENCES casinos,
    table_id INTEGER REFERENCES tables, home INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (platform, address))
    WITHOUT ROWID, STRICT;

CREATE TABLE notes (
    platform TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (platform, name))
    WITHOUT ROWID, STRICT;

CREATE TABLE hands (
    id INTEGER PRIMARY KEY, casino INTEGER NOT NULL REFERENCES casinos,
    table_id INTEGER NOT NULL REFERENCES tables, game TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('betting', 'playing', 'over', 'void')), seed BLOB NOT NULL,
    deal TEXT NOT NULL, opened REAL NOT NULL, closed REAL) STRICT;

CREATE INDEX open_hands ON hands (status) WHERE status IN ('betting', 'playing');

CREATE INDEX hands_by_casino ON hands (casino, closed);

CREATE TABLE moves (
    hand INTEGER NOT NULL REFERENCES hands, number INTEGER NOT NULL, move TEXT NOT NULL, at REAL NOT NULL,
    PRIMARY KEY (hand, number)) WITHOUT ROWID, STRICT;

CREATE TABLE openings (
    hand INTEGER PRIMARY KEY REFERENCES hands, casino INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;

CREATE INDEX openings_due ON openings (at) WHERE at > 0;

CREATE TABLE daily_deals (
    day INTEGER NOT NULL, game TEXT NOT NULL, seed BLOB NOT NULL, deal TEXT NOT NULL, ended REAL,
    PRIMARY KEY (day, game)) STRICT;

CREATE TABLE daily_plays (
    day INTEGER NOT NULL, game TEXT NOT NULL, player INTEGER NOT NULL REFERENCES players, began REAL NOT NULL,
    moves TEXT NOT NULL, score INTEGER, PRIMARY KEY (day, game, player),
    FOREIGN KEY (day, game) REFERENCES daily_deals) STRICT;

CREATE TABLE accounts (
    name TEXT PRIMARY KEY, balance INTEGER NOT NULL,
    CHECK (balance >= 0 OR name LIKE 'bank:%' OR name LIKE 'mint:%' OR name LIKE 'issue:%'))
    WITHOUT ROWID, STRICT;

CREATE TABLE postings (
    id INTEGER PRIMARY KEY, at REAL NOT NULL, debit TEXT NOT NULL, credit TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0), why TEXT NOT NULL, hand INTEGER REFERENCES hands, event TEXT,
    CHECK (debit <> credit), UNIQUE (hand, event)) STRICT;

CREATE INDEX postings_by_debit ON postings (debit, id);

CREATE INDEX postings_by_credit ON postings (credit, id);

CREATE INDEX postings_by_casino ON postings ({NAMED_CASINO}, at);

CREATE INDEX postings_of_stacks ON postings (hand) WHERE {NAMED_CASINO} IS NULL;

CREATE TRIGGER postings_stay BEFORE UPDATE ON postings
    BEGIN SELECT RAISE(ABORT, 'postings never change'); END;

CREATE TRIGGER postings_remain BEFORE DELETE ON postings
    BEGIN SELECT RAISE(ABORT, 'postings never go'); END;

CREATE TABLE answers (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, answer TEXT NOT NULL, at REAL NOT NULL) STRICT;

CREATE TABLE results (
    hand INTEGER NOT NULL REFERENCES hands, player INTEGER NOT NULL REFERENCES players, casino INTEGER NOT NULL,
    game TEXT NOT NULL, wagered INTEGER NOT NULL, returned INTEGER NOT NULL, at REAL NOT NULL,
    PRIMARY KEY (hand, player)) WITHOUT ROWID, STRICT;

CREATE INDEX results_by_player ON results (player, casino, at);

CREATE INDEX wins_by_size ON results (casino, returned - wagered) WHERE returned > wagered;

CREATE INDEX wins_by_day ON results (casino, CAST(at / 86400 AS INTEGER), returned - wagered, at)
    WHERE returned > wagered;

CREATE TABLE sums (
    player INTEGER NOT NULL, casino INTEGER NOT NULL, game TEXT NOT NULL, hands INTEGER NOT NULL,
    wagered INTEGER NOT NULL, returned INTEGER NOT NULL, best INTEGER NOT NULL,
    PRIMARY KEY (player, casino, game)) WITHOUT ROWID, STRICT;

CREATE TRIGGER results_add_up AFTER INSERT ON results BEGIN
    INSERT INTO sums VALUES (new.player, new.casino, new.game, 1, new.wagered, new.returned,
        new.returned - new.wagered)
    ON CONFLICT (player, casino, game) DO UPDATE SET hands = hands + 1, wagered = wagered + excluded.wagered,
        returned = returned + excluded.returned, best = max(best, excluded.best);
    END;

CREATE TABLE audit (
    id INTEGER PRIMARY KEY, at REAL NOT NULL, casino INTEGER NOT NULL, who INTEGER NOT NULL, act TEXT NOT NULL,
    subject TEXT NOT NULL, reason TEXT NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL) STRICT;

CREATE INDEX audit_by_casino ON audit (casino, id);

CREATE TABLE logs (
    casino INTEGER NOT NULL REFERENCES casinos, number INTEGER NOT NULL CHECK (number > 0), house TEXT NOT NULL,
    joined INTEGER NOT NULL, PRIMARY KEY (casino, number)) WITHOUT ROWID, STRICT;

CREATE TABLE log_entries (
    casino INTEGER NOT NULL, log INTEGER NOT NULL, number INTEGER NOT NULL, entry TEXT NOT NULL,
    nodes BLOB NOT NULL, PRIMARY KEY (casino, log, number), FOREIGN KEY (casino, log) REFERENCES logs) STRICT;

CREATE TRIGGER log_entries_stay BEFORE UPDATE ON log_entries
    BEGIN SELECT RAISE(ABORT, 'entries of a log never change'); END;

CREATE TRIGGER log_entries_remain BEFORE DELETE ON log_entries
    BEGIN SELECT RAISE(ABORT, 'entries of a log never go'); END;

CREATE TABLE log_heads (
    casino INTEGER NOT NULL, log INTEGER NOT NULL, size INTEGER NOT NULL, root BLOB NOT NULL, at INTEGER NOT NULL,
    signature BLOB NOT NULL, PRIMARY KEY (casino, log, size), FOREIGN KEY (casino, log) REFERENCES logs)
    WITHOUT ROWID, STRICT;

CREATE TABLE signing_key (one INTEGER PRIMARY KEY CHECK (one = 1), secret BLOB NOT NULL) STRICT;

-- One row; what it says stands in storage.integrity.
CREATE TABLE books (
    one INTEGER PRIMARY KEY CHECK (one = 1), identity TEXT NOT NULL, epoch INTEGER NOT NULL,
    batch INTEGER NOT NULL, at_home INTEGER NOT NULL, is_open INTEGER NOT NULL, is_checked INTEGER NOT NULL)
    STRICT;

INSERT INTO books VALUES (1, lower(hex(randomblob(16))), 0, 0, 0, 0, 1);
