// The conventions are those of 001-till.ts.

/**
 * The till's table of rails says which there are, so the column needs no CHECK, and a new rail no new table. Dropping a CHECK changes no
 * stored row: the schema text is edited in place (sqlite.org/lang_altertable.html, "removing CHECK constraints"). The table after it
 * makes other connections read the schema again, and fails the step if the text was another one than that of 001-till.ts.
 */
export const openRailsSchema = `
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, ' CHECK (rail IN (''slatepack'', ''nostr'', ''grin1''))', '')
  WHERE type = 'table' AND name = 'payment';
PRAGMA writable_schema = RESET;
CREATE TABLE rail_check_is_gone (checks INTEGER CHECK (checks = 0));
INSERT INTO rail_check_is_gone SELECT count(*) FROM sqlite_schema WHERE name = 'payment' AND sql LIKE '%CHECK (rail IN%';
DROP TABLE rail_check_is_gone;
`
