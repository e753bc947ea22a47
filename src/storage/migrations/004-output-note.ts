// The conventions are those of 001-till.ts.

export const outputNoteSchema = `
-- The kernel was seen, our output was not: spent with the same seed elsewhere, or never there. Null: it was there at the last look.
ALTER TABLE payment ADD COLUMN output TEXT CHECK (output IN ('spent-or-missing'));
`
