// Step 2 of a relay's database: marks are found by their deletion. Some name a version that the deletion does not name itself.
export const marksByDeletionSchema = `
CREATE INDEX deletion_seq ON deletion (seq);
`
