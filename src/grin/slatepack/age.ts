// Encryption of slatepacks: age v1 files with X25519 recipients. age-encryption handles the file format. Key wrapping is done
// here, because the library uses an experimental part of WebCrypto and does not bound the number of stanzas.
// Specification: grin-wallet, 3.3.
import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { ed25519, x25519 } from '@noble/curves/ed25519.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base64nopad } from '@scure/base'
import type { Recipient, Stanza } from 'age-encryption'
import { concatBytes, utf8 } from '../../lib/bytes.js'
import { nextTurn } from '../../lib/next-turn.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import type { AddressKey, AddressSeed } from '../kinds/index.js'
import { addressOfSeed, x25519Public, x25519Secret } from './address.js'

const LABEL = utf8('age-encryption.org/v1/X25519')
const ZERO_NONCE = new Uint8Array(12)
/** More recipients than wallets write. Each costs a multiplication per key. */
const MAX_STANZAS = 4

function wrappingKey(shared: Uint8Array, ephemeral: Uint8Array, recipient: Uint8Array): Uint8Array {
  return hkdf(sha256, shared, concatBytes(ephemeral, recipient), LABEL, 32)
}

function recipientOf(publicKey: AddressKey, random: RandomBytes, stanza: typeof Stanza): Recipient {
  const recipient = x25519Public(publicKey)
  return {
    wrapFileKey(fileKey) {
      const secret = random.bytes(32)
      const ephemeral = x25519.getPublicKey(secret)
      const key = wrappingKey(x25519.getSharedSecret(secret, recipient), ephemeral, recipient)
      const body = chacha20poly1305(key, ZERO_NONCE).encrypt(fileKey)
      return [new stanza(['X25519', base64nopad.encode(ephemeral)], body)]
    },
  }
}

/** What opens a slatepack that is encrypted to an address. `decryptionKey` makes it; a caller with many addresses keeps it. */
export interface DecryptionKey {
  /** X25519, 32 bytes, secret. */
  readonly secret: Uint8Array
  /** X25519, 32 bytes. */
  readonly recipient: Uint8Array
}

/** The key of an address seed (32 bytes); `publicKey` if it is known already. */
export const decryptionKey = (seed: AddressSeed, publicKey = addressOfSeed(seed)): DecryptionKey => ({
  secret: x25519Secret(seed),
  recipient: x25519Public(publicKey),
})

/** Keys that are tried for one message, over all its stanzas: it does not say whose it is. */
const MOST_KEYS_TRIED = 10_000
/** Keys between two turns of the event loop. */
const KEYS_PER_TURN = 64

interface Match {
  readonly fileKey: Uint8Array
  readonly at: number
}

/** Keys in the order in which they are tried: all of them, or as they are made. */
export type KeySource = Iterable<AddressSeed | DecryptionKey> | AsyncIterable<AddressSeed | DecryptionKey>

/** Skips stanzas that it does not know or cannot open, as age requires. A key is taken from the source when those before it did not fit. */
async function findMatch(stanzas: readonly Stanza[], keys: KeySource): Promise<Match | undefined> {
  const mine = stanzas.filter(({ args }) => args[0] === 'X25519').slice(0, MAX_STANZAS)
  const unwrappers = mine.flatMap((stanza) => unwrapperOf(stanza) ?? [])
  if (unwrappers.length === 0) return undefined
  let tried = 0
  let at = 0
  for await (const given of keys) {
    const key = given instanceof Uint8Array ? decryptionKey(given) : given
    for (const unwrap of unwrappers) {
      if (tried === MOST_KEYS_TRIED) return undefined
      tried += 1
      if (tried % KEYS_PER_TURN === 0) await nextTurn()
      const fileKey = unwrap(key)
      if (fileKey) return { fileKey, at }
    }
    at += 1
  }
  return undefined
}

/** Undefined for a stanza that no key can open. The first keys are tried by themselves, many by a table that is made for them. */
function unwrapperOf({ args, body }: Stanza): ((key: DecryptionKey) => Uint8Array | undefined) | undefined {
  const ephemeral = decodedOrEmpty(args[1] ?? '')
  if (ephemeral.length !== 32 || body.length !== 32) return undefined
  let sharedSecret = sharedSecretWith(ephemeral, 1)
  let tried = 0
  return ({ secret, recipient }) => {
    tried += 1
    if (tried === TABLE_FROM) sharedSecret = sharedSecretWith(ephemeral, TABLE_FROM)
    const shared = sharedSecret(secret)
    return shared && decryptBody(wrappingKey(shared, ephemeral, recipient), body)
  }
}

function decodedOrEmpty(text: string): Uint8Array {
  try {
    return base64nopad.decode(text)
  } catch {
    return new Uint8Array()
  }
}

function decryptBody(key: Uint8Array, body: Uint8Array): Uint8Array | undefined {
  try {
    return chacha20poly1305(key, ZERO_NONCE).decrypt(body)
  } catch {
    return undefined
  }
}

/** Encrypts to address keys (32 bytes each): a binary age file. */
export async function encryptTo(
  publicKeys: readonly AddressKey[],
  plain: Uint8Array,
  random: RandomBytes,
): Promise<Uint8Array> {
  const { Encrypter, Stanza: stanza } = await import('age-encryption')
  const encrypter = new Encrypter()
  for (const publicKey of publicKeys) encrypter.addRecipient(recipientOf(publicKey, random, stanza))
  return encrypter.encrypt(plain)
}

/** Decrypts an age file with the first matching address seed (32 bytes each) or key of one; undefined if none matches. */
export async function decryptWith(
  keys: KeySource,
  file: Uint8Array,
): Promise<{ readonly plain: Uint8Array; readonly seed: number } | undefined> {
  const { Decrypter } = await import('age-encryption')
  let match: Match | undefined
  // What the source of the keys throws is no property of the message.
  let failure: { readonly error: unknown } | undefined
  const decrypter = new Decrypter()
  decrypter.addIdentity({
    async unwrapFileKey(stanzas: Stanza[]) {
      try {
        match = await findMatch(stanzas, keys)
      } catch (error) {
        failure = { error }
      }
      return match?.fileKey ?? null
    },
  })
  const plain = await decrypter.decrypt(file).catch(() => undefined)
  if (failure) throw failure.error
  return plain && match && { plain, seed: match.at }
}

// X25519 of many secrets with one foreign key. A ladder per secret costs several times as much as a look-up in a table of multiples of
// that key, which pays for itself after a few secrets. The table needs the key as a point of the Edwards form (RFC 7748, 4.1).
const { Point } = ed25519
const { Fp } = Point
/** Secrets from which on the table is the cheaper way. */
const TABLE_FROM = 24
const TABLE_WINDOW = 8

/** The shared secret of one of our secrets (32 bytes, unclamped); undefined for a foreign key that no honest sender makes. */
export type SharedSecret = (secret: Uint8Array) => Uint8Array | undefined

/** X25519 with this foreign key (32 bytes), for about `count` secrets. */
export function sharedSecretWith(foreign: Uint8Array, count: number): SharedSecret {
  return count < TABLE_FROM ? ladder(foreign) : table(foreign)
}

const ladder =
  (foreign: Uint8Array): SharedSecret =>
  (secret) => {
    try {
      return x25519.getSharedSecret(secret, foreign)
    } catch {
      return undefined // a point of small order
    }
  }

/** Clamped secrets are multiples of 8: the multiple of 8 of the foreign key lies in the subgroup of prime order, where the table works. */
function table(foreign: Uint8Array): SharedSecret {
  const point = edwardsPoint(foreign)?.clearCofactor()
  if (!point || point.is0()) return () => undefined
  point.precompute(TABLE_WINDOW, false)
  return (secret) => montgomery(point.multiply((clamped(secret) >> 3n) % Point.Fn.ORDER))
}

/** u = (1 + y) / (1 - y), straight from the projective form. */
const montgomery = ({ Y, Z }: InstanceType<typeof Point>): Uint8Array =>
  Fp.toBytes(Fp.div(Fp.create(Z + Y), Fp.create(Z - Y)))

/** Undefined for keys on the twist: no multiple of the base point is there. */
function edwardsPoint(u: Uint8Array): InstanceType<typeof Point> | undefined {
  const x = littleEndian(u) & (2n ** 255n - 1n)
  const below = Fp.create(x + 1n)
  if (Fp.is0(below)) return undefined
  try {
    return Point.fromBytes(Fp.toBytes(Fp.div(Fp.create(x - 1n), below)))
  } catch {
    return undefined
  }
}

const clamped = (secret: Uint8Array): bigint => (littleEndian(secret) & (2n ** 254n - 8n)) | (2n ** 254n)

const littleEndian = (bytes: Uint8Array): bigint => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
