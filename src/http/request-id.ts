// An id for each request, in the log and in the answer. Random, so that it does not reveal how many customers there are.
import type { IncomingMessage } from 'node:http'
import { toHex } from '../lib/bytes.js'

/** In bytes. */
const POOL = 4096
/** In hex characters. */
const LENGTH = 16

/** Takes the caller's X-Request-Id when it is harmless, else makes one of 16 hex characters. */
export function createRequestIds(random: { bytes(length: number): Uint8Array }): (request: IncomingMessage) => string {
  let pool = ''
  let at = 0

  function fresh(): string {
    if (at + LENGTH > pool.length) {
      pool = toHex(random.bytes(POOL))
      at = 0
    }
    at += LENGTH
    return pool.slice(at - LENGTH, at)
  }

  return ({ headers }) => {
    const given = headers['x-request-id']
    return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : fresh()
  }
}
