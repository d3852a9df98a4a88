-- Version 5: personal bests with options of any length. Later versions add files; this one never changes.

-- An index takes 2,704 bytes, and options may hold a whole set of pieces: of long ones the key is only their sum, and the text stands beside it. Short
-- ones are kept as ever, so that a node of the version before plays on during a rolling restart.
CREATE FUNCTION options_key(options text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN octet_length(options) <= 1000 THEN options
         ELSE 'sha256:' || encode(sha256(convert_to(options, 'UTF8')), 'hex') END
$$;
ALTER TABLE bests ADD COLUMN whole text; -- the options, where the key is their sum
UPDATE bests SET whole = options, options = options_key(options) WHERE options <> options_key(options);
