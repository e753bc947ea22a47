// The conventions are those of 001-till.ts.

/**
 * The till's table of rails says which there are, so the column needs no CHECK, and a new rail no new table. Dropping a CHECK changes no
 * stored row: the schema text is edited in place (sqlite.org/lang_altertable.html, "removing CHECK constraints").
 */
export const openRailsSchema = `
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, ' CHECK (rail IN (''slatepack'', ''nostr'', ''grin1''))', '')
  WHERE type = 'table' AND name = 'payment';
PRAGMA writable_schema = RESET;
`
