// Short ids: a person types the beginning of a long id wherever a command takes one.
import { idAmbiguous } from './errors.js'

/** How long the ids of each kind are; what is as long is whole, and not searched for. */
const LENGTHS = { invoice: 32, payment: 36, event: 32, offer: 64, grant: 32 } as const
export type IdKind = keyof typeof LENGTHS

/** Hex, with dashes in ids of payments; fewer than six characters are no prefix. */
const PREFIX = /^[0-9a-f][0-9a-f-]{5,}$/

/** Ids that begin with a prefix in lower case, in order; a few are enough. */
export type FindIds = (prefix: string) => Promise<readonly string[]>

/**
 * The one id that begins with what was typed. What is whole, shorter than a prefix, or begins no id comes back as it was typed, so that
 * the command says "not found" of it as of any other. Throws ID_AMBIGUOUS.
 */
export async function wholeId(kind: IdKind, typed: string, find: FindIds): Promise<string> {
  const prefix = typed.toLowerCase()
  if (prefix.length >= LENGTHS[kind] || !PREFIX.test(prefix)) return typed
  const found = await find(prefix)
  if (found.length > 1 && !found.includes(prefix)) throw idAmbiguous(kind, typed, found)
  return found.includes(prefix) ? prefix : (found[0] ?? typed)
}
