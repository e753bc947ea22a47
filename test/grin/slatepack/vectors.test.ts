// test/vectors/wallet/slatepack.json: slatepacks of grin-wallet 5.4.1, and what its reader says to odd inputs.
import { describe, expect, test } from 'vitest'
import { formatSlateJson } from '../../../src/grin/slate/index.js'
import { decryptWith } from '../../../src/grin/slatepack/age.js'
import {
  addressOfSeed,
  armor,
  dearmor,
  decodeEnvelope,
  decodeInside,
  encodeEnvelope,
  encodeInside,
  formatAddress,
  formatEnvelopeJson,
  type OpenedSlatepack,
  openEnvelope,
  parseAddress,
  parseEnvelopeJson,
  readSlatepack,
} from '../../../src/grin/slatepack/index.js'
import { toHex } from '../../../src/lib/bytes.js'
import { bytes, codeOf, vectors } from '../../support/vectors.js'

type Read = {
  read_with_key_of: string | null
  ok: boolean
  error?: string
  mode_after?: number
  sender?: string | null
  recipients?: string[]
  slate?: unknown
}

const file = vectors('wallet/slatepack.json')
const seeds: Readonly<Record<string, Uint8Array>> = Object.fromEntries(
  file.parties.map((party: { name: string; ed25519_seed: string }) => [party.name, bytes(party.ed25519_seed)]),
)
const text = (key: Uint8Array | undefined): string | null => (key ? formatAddress('grin', key) : null)
const limit = 100_000

/** What a vector's `read` says, from ours. */
const seenAs = (opened: OpenedSlatepack) => ({
  sender: text(opened.sender),
  recipients: opened.recipients.map((key) => text(key)),
  slate: JSON.parse(formatSlateJson(opened.slate)),
})
const expected = ({ sender, recipients, slate }: Read) => ({ sender, recipients, slate })

test.each<{ name: string; ed25519_seed: string; slatepack_address: string }>(file.parties)('$name', (party) => {
  expect(formatAddress('grin', addressOfSeed(bytes(party.ed25519_seed)))).toBe(party.slatepack_address)
})

type Plain = Record<'name' | 'armor' | 'slatepack_bin' | 'payload', string> & {
  slatepack_json: { sender?: string }
  slate: unknown
} & Partial<Record<'read_armor' | 'read_json' | 'read_bin', Read>>

describe.each<Plain>(file.plain)('plain: $name', (pack) => {
  const envelope = decodeEnvelope(bytes(pack.slatepack_bin), 'grin')
  // The long one was recorded without the reader's verdicts.
  const said = { sender: pack.slatepack_json.sender ?? null, recipients: [], slate: pack.slate }
  const by = (read: Read | undefined) => (read ? expected(read) : said)

  test('reads as armor, JSON and bytes', async () => {
    expect(seenAs(await readSlatepack(pack.armor, { prefix: 'grin', limit }))).toEqual(by(pack.read_armor))
    const json = JSON.stringify(pack.slatepack_json)
    expect(seenAs(await readSlatepack(json, { prefix: 'grin', limit }))).toEqual(by(pack.read_json))
    expect(seenAs(await openEnvelope(envelope, { prefix: 'grin' }))).toEqual(by(pack.read_bin))
  })

  test('is written byte for byte', () => {
    expect(toHex(dearmor(pack.armor, limit))).toBe(pack.slatepack_bin)
    expect(toHex(encodeEnvelope(envelope, 'grin'))).toBe(pack.slatepack_bin)
    expect(armor(encodeEnvelope(envelope, 'grin'))).toBe(pack.armor)
    expect(JSON.parse(formatEnvelopeJson(envelope, 'grin'))).toEqual(pack.slatepack_json)
    expect(toHex(envelope.payload)).toBe(pack.payload)
  })
})

describe.each<Record<string, string> & { recipients: string[]; reads: Read[]; slate: unknown; slatepack_json: object }>(
  file.encrypted,
)('encrypted: $name', (pack) => {
  test.each(pack.reads)('with the key of $read_with_key_of', async (read) => {
    const reading = () =>
      readSlatepack(pack.armor ?? '', { prefix: 'grin', decryptWith: [seeds[read.read_with_key_of ?? '']!], limit })
    if (!read.ok) return expect(await codeOf(reading)).toBe('SLATEPACK_CANNOT_DECRYPT')
    expect(seenAs(await reading())).toEqual(expected(read))
  })

  test('with the right key last of three', async () => {
    const others = Object.keys(seeds).filter((name) => !pack.recipients.includes(name))
    const keys = [...others, pack.recipients[0]!].map((name) => seeds[name]!)
    const opened = await readSlatepack(pack.armor ?? '', { prefix: 'grin', decryptWith: keys, limit })
    expect(opened).toMatchObject({ encrypted: true, seed: keys.length - 1 })
    expect(JSON.parse(formatSlateJson(opened.slate))).toEqual(pack.slate)
  })

  test('is bytes inside: metadata and slate', async () => {
    const opened = await decryptWith([seeds[pack.recipients[0]!]!], bytes(pack.payload ?? ''))
    expect(toHex(opened?.plain ?? new Uint8Array())).toBe(pack.decrypted_payload)
    const { slate, ...meta } = decodeInside(bytes(pack.decrypted_payload ?? ''), 'grin')
    expect(toHex(encodeInside(meta, slate, 'grin'))).toBe(pack.decrypted_payload)
  })

  test('reads as JSON, and without a key not at all', async () => {
    const json = JSON.stringify(pack.slatepack_json)
    expect(parseEnvelopeJson(json, 'grin').mode).toBe('encrypted')
    expect(toHex(encodeEnvelope(decodeEnvelope(bytes(pack.slatepack_bin ?? ''), 'grin'), 'grin'))).toBe(
      pack.slatepack_bin,
    )
    // grin-wallet hands the pack back unopened; ours answers with a slate or an error.
    expect(await codeOf(() => readSlatepack(pack.armor ?? '', { prefix: 'grin', limit }))).toBe(
      'SLATEPACK_CANNOT_DECRYPT',
    )
  })
})

test.each<{ name: string; plaintext: string; armor: string; read: Read }>(file.crafted_encrypted)(
  'crafted: $name',
  async (pack) => {
    const reading = () =>
      readSlatepack(pack.armor, { prefix: 'grin', decryptWith: [seeds[pack.read.read_with_key_of ?? '']!] })
    if (!pack.read.ok) return expect(await codeOf(reading)).toBe('SLATEPACK_INVALID')
    expect(seenAs(await reading())).toEqual(expected(pack.read))
  },
)

/** RULE (3.4): the first BEGINSLATEPACK. counts wherever it stands, and the real reason is reported. */
const ARMOR_CODES: Readonly<Record<string, string>> = {
  'leading space': 'ok',
  'leading newline': 'ok',
  'leading quote mark': 'ok',
  'no footer': 'SLATEPACK_BAD_FOOTER',
  'no footer text': 'SLATEPACK_BAD_FOOTER',
  'other footer': 'SLATEPACK_BAD_FOOTER',
  'header only': 'SLATEPACK_BAD_FOOTER',
  'lower case frame': 'SLATEPACK_BAD_HEADER',
  'space inside the header word': 'SLATEPACK_BAD_HEADER',
  'space between header and its period': 'SLATEPACK_BAD_HEADER',
  'shorter than the header': 'SLATEPACK_BAD_HEADER',
  'one character changed': 'SLATEPACK_BAD_CHECK',
  'one character missing': 'SLATEPACK_BAD_CHECK',
  'check bytes at the end instead of the start': 'SLATEPACK_BAD_CHECK',
  'zero (not base58)': 'SLATEPACK_BAD_BASE58',
  'empty body': 'SLATEPACK_TOO_SHORT',
  'three byte body': 'SLATEPACK_TOO_SHORT',
  'only check bytes': 'SLATEPACK_TOO_SHORT',
}

describe('odd armor', () => {
  const first = file.armor_input[0].result

  test.each<{ case: string; text: string; result: Read }>(file.armor_input)('$case', async (input) => {
    const reading = () => readSlatepack(input.text, { prefix: 'grin' })
    const code = ARMOR_CODES[input.case] ?? 'ok'
    expect(await codeOf(reading)).toBe(code)
    expect(input.result.ok && code !== 'ok').toBe(false)
    if (code !== 'ok') return
    const opened = await reading()
    expect([opened.encrypted, text(opened.sender)]).toEqual([false, first.sender])
    expect(JSON.parse(formatSlateJson(opened.slate))).toEqual(file.plain[1].slate)
  })
})

/** RULE (3.2): unknown modes are refused; a mode 1 payload that no key opens is not handed back. */
const BINARY_CODES: Readonly<Record<string, string>> = {
  'mode 2': 'SLATEPACK_BAD_MODE',
  'mode 1 with a plain payload and no key: left as it is': 'SLATEPACK_CANNOT_DECRYPT',
  'optional length shorter than the sender field': 'SLATEPACK_INVALID',
  truncated: 'SLATEPACK_INVALID',
}

describe('odd bytes', () => {
  test.each<{
    case: string
    bin: string
    result: { ok: boolean; slatepack_json: { payload: string; sender: string } }
  }>(file.binary_input)('$case', async ({ case: name, bin, result }) => {
    const code = await codeOf(() => openEnvelope(decodeEnvelope(bytes(bin), 'grin'), { prefix: 'grin' }))
    expect(code).toBe(BINARY_CODES[name] ?? 'ok')
    if (!result.ok) return
    const { payload, sender } = decodeEnvelope(bytes(bin), 'grin')
    expect(Buffer.from(payload).toString('base64')).toBe(result.slatepack_json.payload)
    expect(sender).toEqual(parseAddress(result.slatepack_json.sender, 'grin'))
  })
})

const JSON_CODES: Readonly<Record<string, string>> = {
  'version without a period': 'SLATEPACK_INVALID',
  'payload not base64': 'SLATEPACK_INVALID',
  'mode 7': 'SLATEPACK_BAD_MODE',
}

describe('odd JSON', () => {
  test.each<{ case: string; text: string; result: Read }>(file.json_input)('$case', async (input) => {
    const reading = () => readSlatepack(input.text, { prefix: 'grin' })
    expect(await codeOf(reading)).toBe(JSON_CODES[input.case] ?? 'ok')
    if (!JSON_CODES[input.case]) expect(seenAs(await reading())).toEqual(expected(input.result))
  })
})
