// Repeating a request must not repeat its effect: the header, the body's digest, and the lock while the first request runs.
import { createHash } from 'node:crypto'
import { badIdempotencyKey, idempotencyInFlight } from './errors.js'
import { canonicalJson, type Json } from './json.js'

/** Reads the header `Idempotency-Key`: 1 to 128 visible ASCII characters. Throws INVALID_IDEMPOTENCY_KEY. */
export function idempotencyKeyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  const key = String(header)
  if (!/^[\x21-\x7e]{1,128}$/.test(key)) throw badIdempotencyKey()
  return key
}

/** Hex SHA-256 of the body: equal for bodies that differ only in spaces and the order of members. */
export const bodyDigest = (body: Json): string => createHash('sha256').update(canonicalJson(body)).digest('hex')

/** Runs one piece of work per key at a time. Throws IDEMPOTENCY_IN_FLIGHT for a second one meanwhile. */
export function createInFlight() {
  const keys = new Set<string>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    if (keys.has(key)) throw idempotencyInFlight()
    keys.add(key)
    try {
      return await work()
    } finally {
      keys.delete(key)
    }
  }
}
