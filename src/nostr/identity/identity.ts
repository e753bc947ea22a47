// The source of the till's Nostr key (specification: invoicing, 4.1). The key is never derived from the Grin seed.

import { fromHex } from '../../lib/bytes.js'
import { messageOf } from '../../lib/errors.js'
import { pastedWord } from '../../lib/pasted-text.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import { Secret } from '../../lib/secret.js'
import { freshSecret, isSecretKey, publicKeyOf } from '../keys/index.js'
import { formatNpub, parseNsec } from '../nip19/index.js'
import { identityConflict, identityDamaged, identityPasswordMissing } from './errors.js'
import { decryptKey, encryptKey } from './nip49.js'

export interface IdentitySources {
  readonly nsec?: Secret | undefined
  readonly ncryptsec?: Secret | undefined
  readonly walletPassword?: Secret | undefined
  readonly file: IdentityFile
  readonly random: RandomBytes
}

/** `<data dir>/nostr/identity.json`: mode 0600 in a 0700 folder, written once and never overwritten. */
interface IdentityFile {
  /** Undefined if there is no such file; rejects for other errors. */
  read(): Promise<string | undefined>
  /** Creates the file durably; rejects if it exists. */
  write(text: string): Promise<void>
}

export interface Identity {
  readonly secret: Secret<Uint8Array>
  /** 64 lower-case hex. */
  readonly pubkey: string
  readonly npub: string
  readonly origin: 'nsec' | 'ncryptsec' | 'file' | 'new'
}

/**
 * The first of: nsec, ncryptsec, the file, a fresh key, which is stored in the file before use.
 * Throws IDENTITY_CONFLICT, IDENTITY_PASSWORD_MISSING, IDENTITY_WRONG_PASSWORD, IDENTITY_DAMAGED, NOSTR_CODE_INVALID.
 */
export async function openIdentity(sources: IdentitySources): Promise<Identity> {
  const { nsec, ncryptsec, walletPassword, file } = sources
  if (nsec && ncryptsec) throw identityConflict()
  if (nsec) return identityOf(parseSecretKey(nsec), 'nsec')
  if (!walletPassword) throw identityPasswordMissing()
  if (ncryptsec) return identityOf(await decryptKey(ncryptsec.reveal(), walletPassword), 'ncryptsec')
  const stored = await file.read()
  return stored === undefined ? createIdentity(sources, walletPassword) : readIdentity(stored, walletPassword)
}

/** Reads `nsec1…`, or the 64 hex that the settings also accept. Throws NOSTR_CODE_INVALID. */
export function parseSecretKey(given: Secret): Secret<Uint8Array> {
  const text = pastedWord(given.reveal())
  return new Secret(/^[0-9a-f]{64}$/.test(text) ? fromHex(text, 32) : parseNsec(text))
}

async function readIdentity(text: string, password: Secret): Promise<Identity> {
  const { ncryptsec, npub } = parseDocument(text)
  const identity = identityOf(await decryptKey(ncryptsec, password), 'file')
  if (identity.npub !== npub) throw identityDamaged('its npub is not that of its key')
  return identity
}

async function createIdentity({ file, random }: IdentitySources, password: Secret): Promise<Identity> {
  const identity = identityOf(freshSecret(random), 'new')
  const ncryptsec = await encryptKey(identity.secret, password, random)
  await file.write(`${JSON.stringify({ ver: 1, ncryptsec, npub: identity.npub })}\n`)
  return identity
}

function identityOf(secret: Secret<Uint8Array>, origin: Identity['origin']): Identity {
  if (!isSecretKey(secret.reveal())) throw identityDamaged('the key is not a valid secret')
  const pubkey = publicKeyOf(secret)
  return { secret, pubkey, npub: formatNpub(pubkey), origin }
}

function parseDocument(text: string): { readonly ncryptsec: string; readonly npub: string } {
  const document: unknown = parseJson(text)
  if (typeof document !== 'object' || document === null) throw identityDamaged('not a JSON object')
  const { ver, ncryptsec, npub } = document as Record<string, unknown>
  if (ver !== 1) throw identityDamaged('its version is not 1')
  if (typeof ncryptsec !== 'string' || typeof npub !== 'string') throw identityDamaged('ncryptsec or npub is missing')
  return { ncryptsec, npub }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (thrown) {
    throw identityDamaged(messageOf(thrown).replace(/[,;:] .*/s, ''))
  }
}
