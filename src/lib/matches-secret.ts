import { timingSafeEqual } from 'node:crypto'
import type { Secret } from './secret.js'

/** Compares a presented text with a secret in time that depends on neither's content. */
export function matchesSecret(presented: string, secret: Secret): boolean {
  const a = Buffer.from(presented)
  const b = Buffer.from(secret.reveal())
  const padded = Buffer.alloc(b.length)
  a.copy(padded)
  return timingSafeEqual(padded, b) && a.length === b.length
}
