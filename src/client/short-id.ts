// Short ids: every command accepts the prefix of a long id.
import { idAmbiguous } from './errors.js'

/** Length of the ids of each kind. Text of this length is complete and needs no search. */
const LENGTHS = { invoice: 32, payment: 36, event: 32, offer: 64, grant: 32 } as const
export type IdKind = keyof typeof LENGTHS

/** At least six characters of hex, with dashes in ids of payments. */
const PREFIX = /^[0-9a-f][0-9a-f-]{5,}$/

/** Finds some ids with a lower-case prefix, in order. */
export type FindIds = (prefix: string) => Promise<readonly string[]>

/**
 * The only id with the typed prefix. Text that is complete, too short, or the prefix of no id is returned unchanged, so that the
 * command reports "not found" as usual. Throws ID_AMBIGUOUS.
 */
export async function wholeId(kind: IdKind, typed: string, find: FindIds): Promise<string> {
  const prefix = typed.toLowerCase()
  if (prefix.length >= LENGTHS[kind] || !PREFIX.test(prefix)) return typed
  const found = await find(prefix)
  if (found.length > 1 && !found.includes(prefix)) throw idAmbiguous(kind, typed, found)
  return found.includes(prefix) ? prefix : (found[0] ?? typed)
}
