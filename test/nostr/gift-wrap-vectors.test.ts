// Vectors: test/vectors/pay/giftwrap.json and nip44v3.json. Version 2 there was opened by rust-nostr and nostr-tools, version 3 by
// the Rust crate that wallets use.
import { expect, test } from 'vitest'
import { fromHex, toHex, utf8 } from '../../src/lib/bytes.js'
import { Secret } from '../../src/lib/secret.js'
import { isGenuine, type NostrEvent, parseEvent } from '../../src/nostr/event/index.js'
import { openWrap, type Rumor, wrapWith } from '../../src/nostr/gift-wrap/index.js'
import { publicKeyOf, sharedX } from '../../src/nostr/keys/index.js'
import { decrypt, encrypt, readPayload } from '../../src/nostr/nip44/index.js'
import { decryptV3, encryptV3, messageKeys, paddedLength } from '../../src/nostr/nip44/v3.js'
import { payVectors } from './vectors.js'

interface WrapVector {
  nip44_version: 2 | 3
  role: string
  sender_secret: string
  receiver_secret: string
  ephemeral_secret: string
  seal_nonce: string
  wrap_nonce: string
  rumor_json: string
  seal_json: string
  wrap_event: NostrEvent
  wrap_content_bytes: number
}

interface V3Vector {
  secret1: string
  secret2: string
  pubkey1: string
  pubkey2: string
  shared_x: string
  nonce: string
  kind: number
  scope_utf8: string
  hkdf_prk: string
  encryption_key: string
  mac_key: string
  plaintext_hex: string
  ciphertext: string
}

const secretOf = (hex: string) => new Secret(fromHex(hex, 32))
const wraps: WrapVector[] = payVectors('giftwrap').vectors
const v3 = payVectors('nip44v3')

function made(vector: WrapVector) {
  const rumor = JSON.parse(vector.rumor_json) as Rumor
  const seal = JSON.parse(vector.seal_json) as NostrEvent
  const auxiliary = new Uint8Array(32)
  return wrapWith(
    {
      seal: { createdAt: seal.created_at, nonce: fromHex(vector.seal_nonce), auxiliary },
      wrap: { createdAt: vector.wrap_event.created_at, nonce: fromHex(vector.wrap_nonce), auxiliary },
      oneTimeKey: secretOf(vector.ephemeral_secret),
    },
    {
      content: rumor.content,
      tags: rumor.tags,
      sender: secretOf(vector.sender_secret),
      receiver: publicKeyOf(secretOf(vector.receiver_secret)),
      version: vector.nip44_version,
      now: rumor.created_at * 1000 + 999,
    },
  )
}

test.each(wraps)('the wrap of $role in version $nip44_version is made to the byte', (vector) => {
  const { wrap, rumor } = made(vector)
  expect(JSON.stringify(rumor)).toBe(vector.rumor_json)
  expect(JSON.stringify(wrap)).toBe(JSON.stringify(vector.wrap_event))
  expect(wrap.content.length).toBe(vector.wrap_content_bytes)
})

test.each(wraps)('the wrap of $role in version $nip44_version opens', (vector) => {
  const wrap = parseEvent(vector.wrap_event)
  expect(wrap && isGenuine(wrap)).toBe(true)
  const opened = openWrap(vector.wrap_event, secretOf(vector.receiver_secret))
  expect(opened).toEqual({ rumor: JSON.parse(vector.rumor_json), version: vector.nip44_version })
})

test.each(wraps)('the seal of $role in version $nip44_version is the one of the vectors', (vector) => {
  const shared = sharedX(secretOf(vector.receiver_secret), vector.wrap_event.pubkey)
  const payload = readPayload(vector.wrap_event.content, { kind: 1059, scope: '' })
  if (!shared || 'refusal' in payload) throw new Error('unreadable')
  expect(decrypt(payload, shared)).toEqual({ text: vector.seal_json })
})

test.each(v3.encrypt_decrypt as V3Vector[])('version 3, kind $kind, scope "$scope_utf8"', (vector) => {
  const { kind, scope_utf8: scope } = vector
  for (const [secret, pubkey] of [
    [vector.secret1, vector.pubkey2],
    [vector.secret2, vector.pubkey1],
  ] as const)
    expect(toHex(sharedX(secretOf(secret), pubkey) ?? new Uint8Array())).toBe(vector.shared_x)
  const [shared, nonce] = [fromHex(vector.shared_x), fromHex(vector.nonce)]
  const keys = messageKeys(shared, nonce)
  expect([keys.prk, keys.encryption, keys.mac].map(toHex)).toEqual([
    vector.hkdf_prk,
    vector.encryption_key,
    vector.mac_key,
  ])
  const plaintext = fromHex(vector.plaintext_hex)
  expect(Buffer.from(encryptV3(plaintext, shared, nonce, { kind, scope })).toString('base64')).toBe(vector.ciphertext)
  const payload = readPayload(vector.ciphertext, { kind, scope })
  if ('refusal' in payload) throw new Error(payload.refusal)
  expect(decryptV3(payload.bytes, shared)).toEqual(plaintext)
})

test('the texts among them come and go as texts', () => {
  for (const { kind, scope_utf8: scope, plaintext_hex, ...vector } of v3.encrypt_decrypt.slice(0, 6) as V3Vector[]) {
    const [shared, nonce] = [fromHex(vector.shared_x), fromHex(vector.nonce)]
    const text = Buffer.from(plaintext_hex, 'hex').toString()
    expect(encrypt(text, { version: 3, shared, nonce, kind, scope })).toBe(vector.ciphertext)
    expect(utf8(text)).toEqual(fromHex(plaintext_hex))
  }
})

/** In the order of the vectors. */
const REFUSALS = {
  'version byte 4': 'version',
  'nonce bit flipped': 'mac',
  'mac bit flipped': 'mac',
  'kind changed (context mismatch)': 'kind',
  'scope length out of range': 'scope-length',
  'ciphertext bit flipped': 'mac',
  'truncated to 76 bytes': 'too-short',
  'leading #': 'future-form',
  empty: 'too-short',
  'not base64': 'not-base64',
  'right key, wrong expected kind': 'kind',
} as const

interface BadVector {
  shared_x: string
  expected_kind: number
  expected_scope: string
  ciphertext: string
  why: keyof typeof REFUSALS
}

test.each(v3.must_fail as BadVector[])('refused: $why', ({ why, ...vector }) => {
  const payload = readPayload(vector.ciphertext, { kind: vector.expected_kind, scope: vector.expected_scope })
  const answer = 'refusal' in payload ? payload : decrypt(payload, fromHex(vector.shared_x))
  expect(answer).toEqual({ refusal: REFUSALS[why] })
})

test.each(v3.padded_len_of_prefixed_plaintext as [number, number][])('%i bytes are padded to %i', (length, padded) =>
  expect(paddedLength(length)).toBe(padded),
)
