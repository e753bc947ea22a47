// Step 2 of a name authority's tables: the held names in their order, so that a page of them passes over no released one.

export const heldNamesSchema = `
CREATE INDEX name_held ON name (name) WHERE released_at IS NULL;
`
