// What mail, chat, web pages and old wallets make of a slatepack on its way to the paste form.
import { describe, expect, test } from 'vitest'
import { decodeSlate, formatSlateJson, parseSlateJson } from '../../../src/grin/slate/index.js'
import {
  addressOfSeed,
  armor,
  armorSlate,
  countArmors,
  dearmor,
  decodeEnvelope,
  formatAddress,
  formatEnvelopeJson,
  readSlatepack,
} from '../../../src/grin/slatepack/index.js'
import { toHex, utf8 } from '../../../src/lib/bytes.js'
import { pastedWord } from '../../../src/lib/pasted-text.js'
import { encodeCode, formatNpub, parseNsec, parsePubkey } from '../../../src/nostr/nip19/index.js'
import { bytes, codeOf, vectors } from '../../support/vectors.js'

const slate = decodeSlate(bytes(vectors('wallet/slates.json').slates[0].bin))
const sender = addressOfSeed(new Uint8Array(32).fill(1))
const grin = { prefix: 'grin' } as const
const plain = armorSlate(slate, { ...grin, sender })
const json = formatEnvelopeJson(decodeEnvelope(dearmor(plain), 'grin'), 'grin')

const BLANKS: Readonly<Record<string, string>> = {
  'a no-break space': '\u00a0',
  'a narrow no-break space': '\u202f',
  'an ideographic space': '\u3000',
  'a thin space': '\u2009',
  'a line separator': '\u2028',
  'a paragraph separator': '\u2029',
  'a form feed': '\f',
  'a vertical tab': '\v',
  'a next line': '\u0085',
  'a quote mark': '\n> ',
  'two quote marks': '\r\n>> ',
  'a bar': '\n| ',
  'a drawn bar': '\n│ ',
  'a heavy bar': '\n┃ ',
  'a broken bar': '\n¦ ',
}
const INVISIBLE: Readonly<Record<string, string>> = {
  'a zero-width space': '\u200b',
  'a zero-width joiner': '\u200d',
  'a zero-width non-joiner': '\u200c',
  'a word joiner': '\u2060',
  'a byte order mark': '\ufeff',
  'a soft hyphen': '\u00ad',
  'a direction mark': '\u200e',
  'an isolate': '\u2066',
  'a null': '\u0000',
  'a variation selector': '\ufe0f',
}

describe('a slatepack is read', () => {
  test.each(Object.entries(BLANKS))('with %s for each blank', async (_, blank) => {
    const text = `${blank}${plain.replaceAll(/\s/g, blank)}${blank}`
    expect((await readSlatepack(text, { ...grin, single: true })).slate).toEqual(slate)
    expect(countArmors(text + text)).toBe(2)
  })

  test.each(Object.entries(INVISIBLE))('with %s after every third character', async (name, mark) => {
    const text = mark + plain.replaceAll(/.{3}/gs, `$&${mark}`)

    expect((await readSlatepack(text, { ...grin, single: true })).slate, name).toEqual(slate)
  })

  test('and the checksum still finds what is missing', async () => {
    const damaged = plain.replace(/ (\w)(\w{14})/, '\u00a0$2')
    expect(await codeOf(() => readSlatepack(damaged, grin))).toBe('SLATEPACK_BAD_CHECK')
  })

  test('in JSON with blanks of a web page', async () => {
    const text = `\ufeff> ${json.replaceAll(',', ',\u00a0\u2028> ')}`
    expect((await readSlatepack(text, grin)).slate).toEqual(slate)
  })

  test('as JSON in armor', async () => {
    const opened = await readSlatepack(armor(utf8(json)), grin)
    expect([opened.slate, opened.sender]).toEqual([slate, sender])
  })

  test('as a JSON slate, bare and in armor', async () => {
    const text = formatSlateJson(slate)
    for (const pasted of [text, armor(utf8(text)), text.replaceAll(',', ',\u00a0')])
      expect((await readSlatepack(pasted, grin)).slate).toEqual(slate)
  })
})

describe('an old JSON slate is named by its version', () => {
  const old = { num_participants: 2, id: slate.id, tx: { offset: '00', body: {} }, amount: '1', participant_data: [] }
  test.each([
    ['1', old],
    ['1', { version: 1, ...old }],
    ['2', { version_info: { orig_version: 2, version: 2, block_header_version: 2 }, ...old }],
    ['3', { version_info: { orig_version: 3, version: 3, block_header_version: 3 }, ...old, payment_proof: null }],
  ])('version %s', async (version, value) => {
    const text = JSON.stringify(value)
    for (const pasted of [text, armor(utf8(text))])
      await expect(readSlatepack(pasted, grin)).rejects.toMatchObject({
        code: 'SLATE_VERSION_UNSUPPORTED',
        message: `slate version ${version} is not supported, only version 4 (grin-wallet 4.0 or later)`,
      })
    // The same slate in a call of the Foreign API.
    expect(await codeOf(() => parseSlateJson(value))).toBe('SLATE_VERSION_UNSUPPORTED')
  })

  test('other JSON is not called a slate', async () => {
    for (const text of ['{"a":1}', '{}', '{"num_participants":2}', '{nonsense'])
      expect(await codeOf(() => readSlatepack(text, grin))).toBe('SLATEPACK_INVALID')
  })
})

test.each([...Object.entries(BLANKS), ...Object.entries(INVISIBLE)])(
  'keys and addresses are read with %s',
  (_, mark) => {
    const spoilt = (text: string) => mark + text.replaceAll(/.{9}/g, `$&${mark}`)
    const key = toHex(new Uint8Array(32).fill(7))
    const address = formatAddress('grin', sender)
    expect(pastedWord(spoilt(address))).toBe(address)
    expect([parsePubkey(spoilt(formatNpub(key))), parsePubkey(spoilt(key))]).toEqual([key, key])
    expect(toHex(parseNsec(spoilt(encodeCode('nsec', new Uint8Array(32).fill(7)))))).toBe(key)
  },
)
