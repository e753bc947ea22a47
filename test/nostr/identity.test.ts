import fc from 'fast-check'
import { nip19 } from 'nostr-tools'
import * as nip49 from 'nostr-tools/nip49'
import { describe, expect, test } from 'vitest'
import { GrinpayError } from '../../src/lib/errors.js'
import { Secret } from '../../src/lib/secret.js'
import { decryptKey, encryptKey, type IdentitySources, openIdentity } from '../../src/nostr/identity/index.js'
import { publicKeyOf } from '../../src/nostr/keys/index.js'
import { decodeCode, formatNpub } from '../../src/nostr/nip19/index.js'

const KEY = new Uint8Array(32).fill(7)
const PASSWORD = new Secret('correct horse')
const WEAK = 2 // scrypt rounds of the texts that nostr-tools writes here: these tests are about bytes, not strength

function sourcesOf(parts: Partial<IdentitySources> & { stored?: string } = {}) {
  const { stored, ...given } = parts
  const written: string[] = stored === undefined ? [] : [stored]
  let drawn = 0
  const sources: IdentitySources = {
    walletPassword: PASSWORD,
    random: { bytes: (length) => new Uint8Array(length).fill(++drawn) },
    file: {
      read: async () => written[0],
      write: async (text) => {
        if (written.length > 0) throw new Error('exists')
        written.push(text)
      },
    },
    ...given,
  }
  return { sources, written }
}

const document = (ncryptsec: string, npub: string) => JSON.stringify({ ver: 1, ncryptsec, npub })
const npubOf = (bytes: Uint8Array) => formatNpub(publicKeyOf(new Secret(bytes)))

test('an nsec wins and needs no password', async () => {
  const nsec = new Secret(nip19.nsecEncode(KEY))
  const { sources, written } = sourcesOf({ nsec, walletPassword: undefined, stored: 'not looked at' })
  const identity = await openIdentity(sources)
  expect(identity).toMatchObject({ origin: 'nsec', npub: npubOf(KEY), pubkey: publicKeyOf(new Secret(KEY)) })
  expect(written).toEqual(['not looked at'])
})

test('the key may also be 64 hex digits, as the settings take it', async () => {
  const nsec = new Secret(Buffer.from(KEY).toString('hex'))
  expect(await openIdentity(sourcesOf({ nsec }).sources)).toMatchObject({ origin: 'nsec', npub: npubOf(KEY) })
})

test('an ncryptsec of another program is opened with the wallet password', async () => {
  const ncryptsec = new Secret(nip49.encrypt(KEY, 'correct horse', WEAK, 1))
  const identity = await openIdentity(sourcesOf({ ncryptsec }).sources)
  expect(identity).toMatchObject({ origin: 'ncryptsec', npub: npubOf(KEY) })
})

test('the first start writes a fresh key, the second reads it', async () => {
  const { sources, written } = sourcesOf()
  const first = await openIdentity(sources)
  expect(first.origin).toBe('new')
  expect(first.secret.reveal()).toEqual(new Uint8Array(32).fill(1))
  const second = await openIdentity(sources)
  expect(second).toMatchObject({ origin: 'file', npub: first.npub })
  expect(written).toHaveLength(1)
  expect(JSON.parse(written[0] ?? '')).toEqual({
    ver: 1,
    ncryptsec: expect.stringMatching(/^ncryptsec1/),
    npub: first.npub,
  })
})

test('a key that could not be stored is not used', async () => {
  const { sources } = sourcesOf({
    file: { read: async () => undefined, write: () => Promise.reject(new Error('disk full')) },
  })
  await expect(openIdentity(sources)).rejects.toThrow('disk full')
})

describe('hard stops, and the file stays as it is', () => {
  const good = nip49.encrypt(KEY, 'correct horse', WEAK, 1)
  const other = npubOf(new Uint8Array(32).fill(8))
  const nsec = new Secret(nip19.nsecEncode(KEY))
  test.each([
    ['both settings', { nsec, ncryptsec: new Secret(good) }, 'IDENTITY_CONFLICT'],
    ['no password', { walletPassword: undefined }, 'IDENTITY_PASSWORD_MISSING'],
    [
      'wrong password',
      { walletPassword: new Secret('wrong'), stored: document(good, npubOf(KEY)) },
      'IDENTITY_WRONG_PASSWORD',
    ],
    [
      'wrong password of the setting',
      { ncryptsec: new Secret(nip49.encrypt(KEY, 'x', WEAK)) },
      'IDENTITY_WRONG_PASSWORD',
    ],
    ['an npub of another key', { stored: document(good, other) }, 'IDENTITY_DAMAGED'],
    ['an empty file', { stored: '' }, 'IDENTITY_DAMAGED'],
    ['not an object', { stored: '7' }, 'IDENTITY_DAMAGED'],
    ['a later version', { stored: '{"ver":2}' }, 'IDENTITY_DAMAGED'],
    ['a missing member', { stored: '{"ver":1}' }, 'IDENTITY_DAMAGED'],
    ['a mistyped key', { stored: document(good.replace('q', 'p'), npubOf(KEY)) }, 'NOSTR_CODE_INVALID'],
    ['a zero key', { nsec: new Secret(nip19.nsecEncode(new Uint8Array(32))) }, 'IDENTITY_DAMAGED'],
  ] satisfies [string, Parameters<typeof sourcesOf>[0], string][])('%s', async (_, parts, code) => {
    const { sources, written } = sourcesOf(parts)
    await expect(openIdentity(sources)).rejects.toMatchObject({ code })
    expect(written).toEqual('stored' in parts ? [parts.stored] : [])
  })
})

describe('NIP-49', () => {
  test('nostr-tools opens what we encrypt, whatever the form of the password', async () => {
    const text = await encryptKey(new Secret(KEY), new Secret('ÅΩẛ̣'), {
      bytes: (length) => new Uint8Array(length).fill(3),
    })
    expect(nip49.decrypt(text, 'ÅΩẛ̣'.normalize('NFD'))).toEqual(KEY)
  })

  test('the published example', async () => {
    const text =
      'ncryptsec1qgg9947rlpvqu76pj5ecreduf9jxhselq2nae2kghhvd5g7dgjtcxfqtd67p9m0w57lspw8gsq6yphnm8623nsl8xn9j4jdzz84zm3frztj3z7s35vpzmqf6ksu8r89qk5z2zxfmu5gv8th8wclt0h4p'
    const secret = await decryptKey(text, new Secret('nostr'))
    expect(Buffer.from(secret.reveal()).toString('hex')).toBe(
      '3501454135014541350145413501453fefb02227e449e57cf4d3a3ce05378683',
    )
  })

  test('a text that asks for terabytes is refused', async () => {
    const greedy = decodeCode('ncryptsec', nip49.encrypt(KEY, 'x', WEAK)).with(1, 40)
    await expect(decryptKey(nip19.encodeBytes('ncryptsec', greedy), PASSWORD)).rejects.toMatchObject({
      code: 'IDENTITY_DAMAGED',
    })
  })

  test('nothing undocumented is thrown for any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 85, maxLength: 93 }), async (bytes) => {
        const weak = bytes.with(0, 2).with(1, 1 + ((bytes[1] ?? 0) % 3))
        const failure = await decryptKey(nip19.encodeBytes('ncryptsec', weak), PASSWORD).catch(
          (thrown: unknown) => thrown,
        )
        expect(failure).toBeInstanceOf(GrinpayError)
      }),
    )
  })
})
