// Values that only their holder knows: of sign-in links and cookies. The store keeps their SHA-256, forms carry what is derived from them.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { toHex } from '../../lib/bytes.js'
import type { RandomBytes } from '../../lib/random-bytes.js'

const TOKEN = /^[\w-]{43}$/

/** 32 random bytes in base64url: 43 characters. */
export const newToken = (random: RandomBytes): string => Buffer.from(random.bytes(32)).toString('base64url')

export const newSessionId = (random: RandomBytes): string => toHex(random.bytes(6))

export const isToken = (text: string): boolean => TOKEN.test(text)

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** What proves that a text was made for the holder of this cookie. `purpose` keeps forms, confirmations and flashes apart. */
export const sealOf = (cookie: string, purpose: 'form' | 'facts' | 'flash', text: string): string =>
  createHmac('sha256', cookie).update(`${purpose}\n${text}`).digest('base64url')

export function isSeal(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
