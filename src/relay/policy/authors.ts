// Lists of keys as operators write them.
import { parsePubkey } from '../../nostr/nip19/index.js'

export interface AuthorList {
  /** 64 lower-case hex. */
  readonly keys: ReadonlySet<string>
  /** Entries that are no key; they are skipped, which lets nobody in. */
  readonly invalid: readonly string[]
}

/** 64 hex in any case, or an npub whose checksum is right. Blank entries do not count. */
export function readAuthors(entries: readonly string[]): AuthorList {
  const keys = new Set<string>()
  const invalid: string[] = []
  for (const entry of entries.map((word) => word.trim())) {
    const key = keyOf(entry)
    if (key !== undefined) keys.add(key)
    else if (entry !== '') invalid.push(entry)
  }
  return { keys, invalid }
}

/** 64 lower-case hex; undefined for what is no key. */
export function keyOf(text: string): string | undefined {
  try {
    return parsePubkey(text)
  } catch {
    return undefined // the only failure is that it is none
  }
}
