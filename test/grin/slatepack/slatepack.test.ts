import { base58 } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeSlate, encodeSlate } from '../../../src/grin/slate/index.js'
import { decodeBase58, encodeBase58 } from '../../../src/grin/slatepack/armor.js'
import {
  addressOfSeed,
  armor,
  armorSlate,
  armorSlateTo,
  countArmors,
  dearmor,
  decodeEnvelope,
  decodeInside,
  encodeEnvelope,
  encodeInside,
  MAX_ARMOR,
  openEnvelope,
  parseEnvelopeJson,
  readSlatepack,
} from '../../../src/grin/slatepack/index.js'
import { bytes, codeOf, vectors } from '../../support/vectors.js'

const slate = decodeSlate(bytes(vectors('wallet/slates.json').slates[0].bin))
const [alice, bob] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
const [toAlice, toBob] = [addressOfSeed(alice), addressOfSeed(bob)]
const plain = armorSlate(slate, { prefix: 'grin', sender: toAlice })
/** A counting source is random enough for tests, and repeats. */
const random = { bytes: (length: number) => Uint8Array.from({ length }, (_, i) => (i * 7 + 1) & 0xff) }
const grin = { prefix: 'grin' } as const

describe('base58', () => {
  test('agrees with the usual implementation', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (value) => {
        expect(encodeBase58(value)).toBe(base58.encode(value))
        expect(decodeBase58(base58.encode(value))).toEqual(value)
      }),
    )
    expect(decodeBase58('11')).toEqual(new Uint8Array(2))
  })

  test('refuses what is not base58', () => {
    for (const text of ['0', 'O', 'I', 'l', 'a b', 'é']) expect(decodeBase58(text)).toBeUndefined()
  })
})

describe('armor', () => {
  test('holds any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 4000 }), (value) => {
        const text = armor(value)
        expect(dearmor(text)).toEqual(value)
        expect(text.split(/[ \n]/).every((word) => word.length <= 16)).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  test('is found inside a letter, quoted and re-wrapped', async () => {
    const letter = `Hello,\n\nhere is my payment:\n> ${plain.replaceAll(' ', '\n> ')}\nThanks. Bye.`
    expect((await readSlatepack(letter, grin)).slate).toEqual(slate)
  })

  test('a text with no slatepack says so', async () => {
    for (const text of ['', 'hello', '<script>', 'beginslatepack. x. endslatepack.'])
      expect(await codeOf(() => readSlatepack(text, grin))).toBe('SLATEPACK_BAD_HEADER')
  })

  test('longer than the limit is refused, exactly at the limit it is read', async () => {
    const length = plain.trimEnd().length
    expect((await readSlatepack(plain, { ...grin, limit: length })).slate).toEqual(slate)
    expect(await codeOf(() => readSlatepack(plain, { ...grin, limit: length - 2 }))).toBe('SLATEPACK_TOO_LONG')
    const huge = `BEGINSLATEPACK. ${'z'.repeat(MAX_ARMOR)}. ENDSLATEPACK.`
    expect(await codeOf(() => readSlatepack(huge, grin))).toBe('SLATEPACK_TOO_LONG')
    const json = JSON.stringify({ slatepack: '1.0', mode: 0, payload: 'A'.repeat(MAX_ARMOR) })
    expect(await codeOf(() => readSlatepack(json, grin))).toBe('SLATEPACK_TOO_LONG')
  })

  test('complete slatepacks are counted, a begin without an end is not', () => {
    expect(countArmors('nothing')).toBe(0)
    expect(countArmors(plain)).toBe(1)
    expect(countArmors(`${plain} BEGINSLATEPACK. and no more`)).toBe(1)
    expect(countArmors(`BEGINSLATEPACK. oh no ${plain}`)).toBe(1)
    expect(countArmors(plain + plain)).toBe(2)
    expect(countArmors(plain.repeat(5))).toBe(2)
  })
})

test('where one slatepack is expected, a second one is refused', async () => {
  const single = { ...grin, single: true }
  expect((await readSlatepack(plain + plain, grin)).slate).toEqual(slate)
  expect(await codeOf(() => readSlatepack(plain + plain, single))).toBe('SLATEPACK_TWO')
  expect((await readSlatepack(`${plain}BEGINSLATEPACK. oops`, single)).slate).toEqual(slate)
})

describe('a megabyte of noise costs less than a second', () => {
  const million = 1_000_000
  test.each([
    ['base58 without an end', `BEGINSLATEPACK. ${'z'.repeat(million)}`],
    ['base58 with an end', `BEGINSLATEPACK. ${'z'.repeat(million)}. ENDSLATEPACK.`],
    ['headers', 'BEGINSLATEPACK.'.repeat(million / 15)],
    ['headers and periods', 'BEGINSLATEPACK. . '.repeat(million / 18)],
    ['quote marks', `BEGINSLATEPACK.${'> '.repeat(million / 2)}. ENDSLATEPACK.`],
    ['braces', '{'.repeat(million)],
    ['spaces', ' '.repeat(million)],
    ['JSON quotes', `{"a":"${'\\"'.repeat(million / 2)}`],
    ['footers', `BEGINSLATEPACK.${'ENDSLATEPACK '.repeat(million / 13)}`],
  ])('%s', async (_, text) => {
    const start = process.cpuUsage().user
    expect(await codeOf(() => readSlatepack(text, grin))).toMatch(/^SLATEPACK_/)
    countArmors(text)
    expect((process.cpuUsage().user - start) / 1000).toBeLessThan(1000)
  })

  test('even where the caller allows a megabyte of base58', async () => {
    const start = process.cpuUsage().user
    const text = `BEGINSLATEPACK. ${'z'.repeat(million)}. ENDSLATEPACK.`
    expect(await codeOf(() => readSlatepack(text, { ...grin, limit: 2 * million }))).toBe('SLATEPACK_BAD_CHECK')
    expect((process.cpuUsage().user - start) / 1000).toBeLessThan(3000)
  })
})

describe('encryption', () => {
  test('only the recipient reads slate and sender', async () => {
    const text = await armorSlateTo([toBob], slate, { ...grin, sender: toAlice, random })
    const opened = await readSlatepack(text, { ...grin, decryptWith: [alice, bob] })
    expect(opened).toMatchObject({ encrypted: true, seed: 1 })
    expect([opened.slate, opened.sender]).toEqual([slate, toAlice])
    expect(await codeOf(() => readSlatepack(text, { ...grin, decryptWith: [alice] }))).toBe('SLATEPACK_CANNOT_DECRYPT')
    expect(await codeOf(() => readSlatepack(text, grin))).toBe('SLATEPACK_CANNOT_DECRYPT')
  })

  test('every one of several recipients reads it', async () => {
    const text = await armorSlateTo([toAlice, toBob], slate, { ...grin, random })
    for (const seed of [alice, bob])
      expect((await readSlatepack(text, { ...grin, decryptWith: [seed] })).slate).toEqual(slate)
  })

  test('a damaged payload is not opened', async () => {
    const envelope = decodeEnvelope(dearmor(await armorSlateTo([toBob], slate, { ...grin, random })), 'grin')
    for (const at of [30, envelope.payload.length - 3]) {
      const payload = envelope.payload.map((byte, i) => (i === at ? byte ^ 1 : byte))
      const reading = () => openEnvelope({ ...envelope, payload }, { ...grin, decryptWith: [bob] })
      expect(await codeOf(reading)).toBe('SLATEPACK_CANNOT_DECRYPT')
    }
  })

  test('a key is looked for in the first four stanzas and no further', async () => {
    const opened = async (before: number) => {
      const recipients = [...Array(before).fill(toAlice), toBob]
      const text = await armorSlateTo(recipients, slate, { ...grin, random })
      return codeOf(() => readSlatepack(text, { ...grin, decryptWith: [bob] }))
    }
    expect(await opened(3)).toBe('ok')
    expect(await opened(4)).toBe('SLATEPACK_CANNOT_DECRYPT')
  })

  test('hundreds of stanzas cost no more than a few', async () => {
    const text = await armorSlateTo(Array(300).fill(toAlice), slate, { ...grin, random })
    const start = process.cpuUsage().user
    const reading = () => readSlatepack(text, { ...grin, decryptWith: [bob], limit: 200_000 })
    expect(await codeOf(reading)).toBe('SLATEPACK_CANNOT_DECRYPT')
    expect((process.cpuUsage().user - start) / 1000).toBeLessThan(1500)
  })

  test('a sender of another chain is refused, outside and inside', async () => {
    const outside = armorSlate(slate, { prefix: 'tgrin', sender: toAlice })
    expect(await codeOf(() => readSlatepack(outside, grin))).toBe('SLATEPACK_WRONG_CHAIN')
    const inside = await armorSlateTo([toBob], slate, { prefix: 'tgrin', sender: toAlice, random })
    expect(await codeOf(() => readSlatepack(inside, { ...grin, decryptWith: [bob] }))).toBe('SLATEPACK_WRONG_CHAIN')
  })
})

const documented = /^(SLATEPACK_[A-Z0-9_]+|SLATE_INVALID|SLATE_VERSION_UNSUPPORTED|ok)$/

test('arbitrary texts, bytes and payloads throw only the documented errors', async () => {
  const envelope = encodeEnvelope({ mode: 'plain', sender: toAlice, payload: encodeSlate(slate) }, 'grin')
  const inside = encodeInside({ sender: toAlice, recipients: [toBob] }, encodeSlate(slate), 'grin')
  const damaged = (source: Uint8Array) =>
    fc.tuple(fc.nat(), fc.nat(255)).map(([at, value]) => source.map((b, i) => (i === at % source.length ? value : b)))
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 300 }), damaged(envelope), damaged(inside)), async (value) => {
      const opening = () => openEnvelope(decodeEnvelope(value, 'grin'), { ...grin, decryptWith: [bob] })
      expect(await codeOf(opening)).toMatch(documented)
      expect(await codeOf(() => decodeInside(value, 'grin'))).toMatch(documented)
      expect(await codeOf(() => readSlatepack(armor(value), { ...grin, decryptWith: [bob] }))).toMatch(documented)
    }),
    { numRuns: 300 },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.string().map((s) => `BEGINSLATEPACK.${s}. ENDSLATEPACK.`),
      ),
      async (text) => {
        expect(await codeOf(() => readSlatepack(text, grin))).toMatch(documented)
        expect(await codeOf(() => parseEnvelopeJson(text, 'grin'))).toMatch(documented)
      },
    ),
    { numRuns: 300 },
  )
})

test.each(['{"toString":1}', '[{"toString":1}]', '17', 'true', '""'])(
  'a sender %s in the JSON form',
  async (sender) => {
    const text = `{"slatepack":"1.0","mode":0,"sender":${sender},"payload":"AA=="}`
    expect(await codeOf(() => readSlatepack(text, grin))).toBe('SLATEPACK_INVALID')
  },
)

test('errors carry no part of the message', async () => {
  const secret = 'SecretBodyOfThePack'
  for (const text of [
    `BEGINSLATEPACK. ${secret}`,
    `BEGINSLATEPACK. ${secret}. ENDSLATEPACK.`,
    `{"slatepack":"${secret}"}`,
  ]) {
    const error = await readSlatepack(text, grin).catch((thrown: Error) => thrown)
    expect(`${(error as Error).message}`).not.toContain('Secret')
  }
})
