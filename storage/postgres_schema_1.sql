-- The schema of 1.0 on a server. Texts compare by their bytes, as SQLite's do: names of accounts lie in that order. JSON
-- is text as well.

CREATE TABLE casinos (id BIGINT PRIMARY KEY, name {TEXT}, state {TEXT}, founded {TIME});
CREATE TABLE players (
    id BIGINT PRIMARY KEY, name {TEXT}, language {TEXT}, state {TEXT}, joined {TIME});
CREATE TABLE identities (
    platform {TEXT}, name {TEXT}, player {NUMBER} REFERENCES players,
    PRIMARY KEY (platform, name));
CREATE INDEX identities_by_player ON identities (player);
CREATE TABLE members (
    casino {NUMBER} REFERENCES casinos, player {NUMBER} REFERENCES players, joined {TIME}, state {TEXT},
    name {TEXT}, number {NUMBER}, look {TEXT}, capitals {TEXT}, PRIMARY KEY (casino, player));
CREATE INDEX members_by_player ON members (player);
CREATE TABLE tables (
    id BIGINT PRIMARY KEY, casino {NUMBER} REFERENCES casinos, game {TEXT}, status {TEXT}, state {TEXT});
CREATE TABLE places (
    platform {TEXT}, address {TEXT}, casino {NUMBER} REFERENCES casinos, table_id BIGINT REFERENCES tables,
    home {NUMBER} DEFAULT 0, PRIMARY KEY (platform, address));
CREATE TABLE hands (
    id BIGINT PRIMARY KEY, casino {NUMBER} REFERENCES casinos, table_id {NUMBER} REFERENCES tables, game {TEXT},
    status {TEXT} CHECK (status IN ('betting', 'playing', 'over', 'void')), seed BYTEA NOT NULL, deal {TEXT},
    opened {TIME}, closed DOUBLE PRECISION);
CREATE INDEX open_hands ON hands (status) WHERE status IN ('betting', 'playing');
CREATE INDEX hands_by_casino ON hands (casino, closed);
CREATE TABLE answers ({COUNT}, key {TEXT} UNIQUE, answer {TEXT}, at {TIME});
CREATE TABLE moves (
    hand {NUMBER} REFERENCES hands, number {NUMBER}, move {TEXT}, at {TIME}, PRIMARY KEY (hand, number));
CREATE TABLE accounts (
    name TEXT COLLATE "C" PRIMARY KEY, balance {NUMBER}, CHECK (balance >= 0 OR {MAY_OWE})) WITH (fillfactor = 80);
CREATE TABLE postings (
    {COUNT}, at {TIME}, debit {TEXT}, credit {TEXT}, amount {NUMBER} CHECK (amount > 0), why {TEXT},
    hand BIGINT REFERENCES hands, event TEXT COLLATE "C",
    casino BIGINT GENERATED ALWAYS AS ({NAMED_CASINO}) STORED,
    CHECK (debit <> credit), UNIQUE (hand, event));
CREATE INDEX postings_by_debit ON postings (debit, id);
CREATE INDEX postings_by_credit ON postings (credit, id);
CREATE INDEX postings_by_casino ON postings (casino, at);
CREATE INDEX postings_of_stacks ON postings (hand) WHERE casino IS NULL;
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'postings never change and never go' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER postings_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON postings
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TABLE results (
    hand {NUMBER} REFERENCES hands, player {NUMBER} REFERENCES players, casino {NUMBER}, game {TEXT},
    wagered {NUMBER}, returned {NUMBER}, at {TIME}, PRIMARY KEY (hand, player));
CREATE INDEX results_by_player ON results (player, casino, at);
CREATE INDEX wins_by_size ON results (casino, (returned - wagered)) WHERE returned > wagered;
CREATE INDEX wins_by_day ON results (casino, CAST(floor(at / 86400) AS BIGINT), (returned - wagered), at)
    WHERE returned > wagered;
CREATE TABLE sums (
    player {NUMBER}, casino {NUMBER}, game {TEXT}, hands {NUMBER}, wagered {NUMBER}, returned {NUMBER},
    best {NUMBER}, PRIMARY KEY (player, casino, game));
CREATE FUNCTION add_up() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO sums AS kept
    SELECT player, casino, game, count(*), sum(wagered), sum(returned), max(returned - wagered) FROM news
    GROUP BY player, casino, game
    ON CONFLICT (player, casino, game) DO UPDATE SET hands = kept.hands + excluded.hands,
        wagered = kept.wagered + excluded.wagered, returned = kept.returned + excluded.returned,
        best = greatest(kept.best, excluded.best);
    RETURN NULL;
END $$;
CREATE TRIGGER results_add_up AFTER INSERT ON results REFERENCING NEW TABLE AS news
    FOR EACH STATEMENT EXECUTE FUNCTION add_up();
CREATE TABLE audit (
    {COUNT}, at {TIME}, casino {NUMBER}, who {NUMBER}, act {TEXT}, subject {TEXT}, reason {TEXT},
    before {TEXT}, after {TEXT});
CREATE INDEX audit_by_casino ON audit (casino, id);
CREATE TABLE notes (platform {TEXT}, name {TEXT}, value {TEXT}, PRIMARY KEY (platform, name));
CREATE TABLE browsers (
    id TEXT COLLATE "C" PRIMARY KEY, token {TEXT}, former {TEXT}, turned {TIME}, shown DOUBLE PRECISION,
    began {TIME}, seen {TIME}, kind {TEXT});
CREATE TABLE sessions (
    browser {TEXT} REFERENCES browsers, account {TEXT}, began {TIME}, ended DOUBLE PRECISION,
    PRIMARY KEY (browser, account));
CREATE INDEX sessions_by_account ON sessions (account);
CREATE TABLE phrases (account TEXT COLLATE "C" PRIMARY KEY, phrase {TEXT} UNIQUE, made {TIME});
CREATE TABLE seen (
    player BIGINT PRIMARY KEY REFERENCES players, casino BIGINT, began DOUBLE PRECISION, last DOUBLE PRECISION);
CREATE INDEX members_by_look ON members (casino, look);
CREATE INDEX members_by_capitals ON members (casino, capitals);
CREATE TABLE usernames (platform {TEXT}, username {TEXT}, account {TEXT}, PRIMARY KEY (platform, username));
CREATE TABLE openings (hand BIGINT PRIMARY KEY REFERENCES hands, casino {NUMBER}, at {NUMBER});
CREATE INDEX openings_due ON openings (at) WHERE at > 0;
CREATE TABLE daily_deals (
    day {NUMBER}, game {TEXT}, seed BYTEA NOT NULL, deal {TEXT}, ended DOUBLE PRECISION, PRIMARY KEY (day, game));
CREATE TABLE daily_plays (
    day {NUMBER}, game {TEXT}, player {NUMBER} REFERENCES players, began {TIME}, moves {TEXT}, score BIGINT,
    PRIMARY KEY (day, game, player), FOREIGN KEY (day, game) REFERENCES daily_deals);
CREATE TABLE logs (
    casino {NUMBER} REFERENCES casinos, number {NUMBER} CHECK (number > 0), house {TEXT}, joined {NUMBER},
    PRIMARY KEY (casino, number));
CREATE TABLE log_entries (
    casino {NUMBER}, log {NUMBER}, number {NUMBER}, entry {TEXT}, nodes BYTEA NOT NULL,
    PRIMARY KEY (casino, log, number), FOREIGN KEY (casino, log) REFERENCES logs);
CREATE FUNCTION refuse_other_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'entries of a log never change and never go' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER log_entries_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON log_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_other_log();
CREATE TABLE log_heads (
    casino {NUMBER}, log {NUMBER}, size {NUMBER}, root BYTEA NOT NULL, at {NUMBER}, signature BYTEA NOT NULL,
    PRIMARY KEY (casino, log, size), FOREIGN KEY (casino, log) REFERENCES logs);
CREATE TABLE signing_key (one BIGINT PRIMARY KEY CHECK (one = 1), secret BYTEA NOT NULL);
CREATE TABLE lease (
    one INTEGER PRIMARY KEY CHECK (one = 1), epoch BIGINT NOT NULL, backend INTEGER, began TIMESTAMPTZ, address TEXT,
    until TIMESTAMPTZ);
INSERT INTO lease VALUES (1, 0);
CREATE UNLOGGED TABLE tokens (platform TEXT PRIMARY KEY, front {TEXT}, until TIMESTAMPTZ NOT NULL);
CREATE UNLOGGED TABLE inbox ({COUNT}, front {TEXT}, body {TEXT}, at TIMESTAMPTZ DEFAULT clock_timestamp());
CREATE UNLOGGED TABLE outbox ({COUNT}, front {TEXT}, body {TEXT}, at TIMESTAMPTZ DEFAULT clock_timestamp());
