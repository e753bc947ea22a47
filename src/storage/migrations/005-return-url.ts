// Where the payer of an invoice goes back to. NULL for most rows, which costs nothing at the end of a row.

export const returnUrlColumn = `
ALTER TABLE invoice ADD COLUMN return_url TEXT;
`
