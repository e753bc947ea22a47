// Names inside an archive. They become paths below the folder that is restored to, so the grammar has no way out of it.

const LONGEST = 100
const MEMBER = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/

/** Relative, of plain parts: none is empty, hidden, "." or "..". */
export const isMemberName = (name: string): boolean => name.length <= LONGEST && MEMBER.test(name)

export const MANIFEST_NAME = 'manifest.json'
