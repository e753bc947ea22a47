// The body of a claim (specification: names, 6 "Register", steps 3 to 6).
import { objectOf, parseJsonBytes } from '../../lib/parse-json.js'
import { invalidBody, invalidPubkey, pubkeyMismatch } from '../errors.js'
import { keyOf } from '../keys.js'
import { normaliseName } from './grammar.js'

/** The normalised name that a body asks for, even when the rest of it is invalid. */
export function nameIn(body: Uint8Array): string | undefined {
  const { name } = objectOf(parseJsonBytes(body))
  return typeof name === 'string' ? normaliseName(name) : undefined
}

/** The normalised name that the signer claims. Throws INVALID_BODY, INVALID_PUBKEY, PUBKEY_MISMATCH, in this order. */
export function readClaim(body: Uint8Array, signer: string): string {
  const { name, pubkey } = objectOf(parseJsonBytes(body))
  if (typeof name !== 'string' || typeof pubkey !== 'string') throw invalidBody()
  const key = keyOf(pubkey)
  if (key === undefined) throw invalidPubkey()
  if (key !== signer) throw pubkeyMismatch()
  return normaliseName(name)
}
