-- Functions of this version of the program, replaced whenever a newer version opens the books.
--
-- write_books is all of a batch: the fence, the rows, one commit. The fence is its first statement, in that transaction:
-- the owner of the lease cannot lose it until this is written, and a process that has lost it writes nothing. It is the
-- weakest lock, so that the lease can be renewed meanwhile; taking it locks it for update (storage.postgres_lease).
--
-- take_inbox drops what was sent while nobody took it: a front sends every second until it gives up.

CREATE OR REPLACE FUNCTION hold_lease(held BIGINT) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM 1 FROM lease WHERE epoch = held FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'another process writes these books now' USING ERRCODE = '{LEASE_LOST}';
    END IF;
END $$;
CREATE OR REPLACE FUNCTION write_books(batch JSONB, epoch BIGINT) RETURNS void LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM hold_lease(epoch);
{INSERTS}
END $$;
CREATE OR REPLACE FUNCTION forget_answers(last BIGINT, epoch BIGINT) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM hold_lease(epoch);
    DELETE FROM answers WHERE id <= last;
END $$;
CREATE OR REPLACE FUNCTION take_inbox(epoch BIGINT) RETURNS SETOF inbox LANGUAGE plpgsql SET search_path FROM CURRENT
AS $$
BEGIN
    PERFORM hold_lease(epoch);
    RETURN QUERY WITH taken AS (DELETE FROM inbox RETURNING *)
        SELECT * FROM taken WHERE at > clock_timestamp() - interval '5 s' ORDER BY id;
END $$;
CREATE OR REPLACE FUNCTION fill_outbox(fronts TEXT[], bodies TEXT[], channel TEXT, epoch BIGINT) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM hold_lease(epoch);
    INSERT INTO outbox (front, body) SELECT one.front, one.body FROM unnest(fronts, bodies) AS one (front, body);
    PERFORM pg_notify(channel, '');
END $$;
CREATE OR REPLACE FUNCTION is_json(document TEXT) RETURNS BOOLEAN LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN document::json IS NOT NULL;
EXCEPTION WHEN data_exception THEN
    RETURN false;
END $$;
CREATE OR REPLACE FUNCTION text_in(document TEXT, VARIADIC path TEXT[]) RETURNS TEXT LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN document::json #>> path;
EXCEPTION WHEN data_exception THEN
    RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION number_in(document TEXT, VARIADIC path TEXT[]) RETURNS BIGINT
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN CAST(document::json #>> path AS BIGINT);
EXCEPTION WHEN data_exception THEN
    RETURN NULL;
END $$;
