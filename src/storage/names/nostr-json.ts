// The names of a static nostr.json, as web servers hand them out (NIP-05).
import { membersOf, objectOf, parseJson } from '../../lib/parse-json.js'
import type { SourceRow } from './legacy-import.js'
import { checkRow } from './lines.js'

type StaticNames = Readonly<Record<string, unknown>>

/** Undefined for what is no such document. */
export function namesIn(text: string): StaticNames | undefined {
  const { names } = objectOf(parseJson(text))
  return typeof names === 'object' && names !== null && !Array.isArray(names) ? membersOf(names) : undefined
}

/** One row per name; its relays are not kept: the authority answers with its own. `createdAt`: epoch milliseconds; the document has no times. */
export async function* documentRows(names: StaticNames, createdAt: number): AsyncGenerator<SourceRow> {
  for (const [typed, key] of Object.entries(names)) {
    const pubkey = typeof key === 'string' ? key.trim().toLowerCase() : key
    yield {
      place: `name ${JSON.stringify(typed.slice(0, 40))}`,
      row: checkRow('name', { name: typed.toLowerCase(), pubkey, createdAt }),
    }
  }
}
