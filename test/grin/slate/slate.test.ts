import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nanoGrin } from '../../../src/grin/amount/index.js'
import {
  decodeSlate,
  digestSlate,
  encodeSlate,
  formatSlateJson,
  type Participant,
  parseSlateJson,
  SLATE_STATES,
  type Slate,
} from '../../../src/grin/slate/index.js'
import { codeOf, vectors } from '../../support/vectors.js'

const seen: { json: Record<string, unknown>; json_text: string }[] = vectors('wallet/slates.json').slates
const minimal = seen[0]!
const parsed = seen.map(({ json_text }) => parseSlateJson(json_text))
const withMember = (name: string, json: string): string => minimal.json_text.replace(/}$/, `,"${name}":${json}}`)

const u64 = fc.bigInt(0n, 2n ** 64n - 1n)
const octets = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const keys = parsed.flatMap(({ participants }) => participants.flatMap(({ excess, nonce }) => [excess, nonce]))
const key = fc.constantFrom(...keys)
/** Halves below n whichever way they are read, as honest signatures are. */
const part = octets(64).map((value) => value.map((byte) => byte & 0x7f))
/** Its second half is below 2^253, as a scalar of ed25519 is. */
const addressSignature = octets(64).map((value) => value.with(63, value[63]! & 0x1f))
const address = fc.constantFrom(...parsed.flatMap(({ proof }) => (proof ? [proof.sender, proof.receiver] : [])))
const maybe = <T>(name: string, value: fc.Arbitrary<T>) =>
  fc.option(value, { nil: undefined }).map((some) => (some === undefined ? {} : { [name]: some }))

const anySlate: fc.Arbitrary<Slate> = fc
  .tuple(
    fc.record({
      headerVersion: fc.nat(0xffff),
      id: fc.uuid(),
      state: fc.constantFrom(...SLATE_STATES),
      offset: octets(32),
      numParts: fc.nat(255),
      amount: u64.map(nanoGrin),
      // Of the fee field the binary form looks at the low 40 bits only.
      fee: fc.oneof(fc.constant(0n), fc.bigInt(1n, 2n ** 40n - 1n)),
      ttl: u64,
      participants: fc.array(
        fc.tuple(fc.record({ excess: key, nonce: key }), maybe('part', part)).map(([a, b]) => ({ ...a, ...b })),
        { maxLength: 3 },
      ),
    }),
    fc.oneof(
      fc.constant({ features: 0 }),
      u64.map((lockHeight) => ({ features: 2, lockHeight })),
    ),
    maybe(
      'commitments',
      fc.array(
        fc
          .tuple(fc.record({ coinbase: fc.boolean(), commitment: octets(33) }), maybe('proof', octets(675)))
          .map(([a, b]) => ({ ...a, ...b })),
        { maxLength: 3 },
      ),
    ),
    maybe(
      'proof',
      fc
        .tuple(fc.record({ sender: address, receiver: address }), maybe('signature', addressSignature))
        .map(([a, b]) => ({ ...a, ...b })),
    ),
  )
  .map(([base, ...rest]) => Object.assign({}, base, ...rest))

test('every slate survives both forms', () => {
  fc.assert(
    fc.property(anySlate, (slate) => {
      expect(decodeSlate(encodeSlate(slate))).toEqual(slate)
      expect(parseSlateJson(formatSlateJson(slate))).toEqual(slate)
      expect(() => JSON.parse(formatSlateJson(slate))).not.toThrow()
    }),
  )
})

const documented = /^(SLATE_INVALID|SLATE_VERSION_UNSUPPORTED|ok)$/

test('arbitrary and damaged bytes throw only the documented errors', async () => {
  const honest = parsed.map((slate) => encodeSlate(slate))
  const damaged = fc
    .tuple(fc.constantFrom(...honest), fc.nat(), fc.nat(255), fc.nat(40))
    .map(([source, at, value, cut]) =>
      source.map((b, i) => (i === at % source.length ? value : b)).slice(0, -cut || undefined),
    )
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 300 }), damaged), async (input) => {
      expect(await codeOf(() => decodeSlate(input))).toMatch(documented)
    }),
    { numRuns: 500 },
  )
})

test('arbitrary JSON values and texts throw only the documented errors', async () => {
  const mutated = fc
    .tuple(
      fc.constantFrom(...seen.map(({ json }) => json)),
      fc.constantFrom(
        'ver',
        'id',
        'sta',
        'off',
        'num_parts',
        'amt',
        'fee',
        'feat',
        'ttl',
        'sigs',
        'coms',
        'proof',
        'feat_args',
      ),
      fc.jsonValue(),
    )
    .map(([json, name, value]) => ({ ...json, [name]: value }))
  await fc.assert(
    fc.asyncProperty(fc.oneof(mutated, fc.jsonValue(), fc.anything()), async (input) => {
      expect(await codeOf(() => parseSlateJson(input))).toMatch(documented)
      const text = JSON.stringify(input, (_, value) => (typeof value === 'bigint' ? `${value}` : value)) ?? ''
      expect(await codeOf(() => parseSlateJson(text))).toMatch(documented)
    }),
    { numRuns: 500 },
  )
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
      expect(await codeOf(() => parseSlateJson(text))).toMatch(documented)
    }),
  )
})

test('whole numbers beyond 2^53 are exact in a text', () => {
  expect(parseSlateJson(withMember('ttl', '18446744073709551615')).ttl).toBe(2n ** 64n - 1n)
  expect(parseSlateJson(withMember('ttl', '9007199254740993')).ttl).toBe(9007199254740993n)
  const locked = withMember('feat_args', '{"lock_hgt":9007199254740993}').replace('"sigs"', '"feat":2,"sigs"')
  expect(parseSlateJson(locked).lockHeight).toBe(9007199254740993n)
  expect(formatSlateJson(parseSlateJson(locked))).toContain('{"lock_hgt":9007199254740993}')
})

test.each(['18446744073709551616', '1e3', '5.0', '-1', '1e400', '" 5"', '"5 "', '"0x10"', '""', 'null', 'true', '[5]'])(
  'ttl %s is refused',
  async (json) => expect(await codeOf(() => parseSlateJson(withMember('ttl', json)))).toBe('SLATE_INVALID'),
)

test('in a parsed value a number that JSON may have rounded is refused', async () => {
  expect(parseSlateJson({ ...minimal.json, ttl: 2 ** 53 - 1 }).ttl).toBe(2n ** 53n - 1n)
  expect(await codeOf(() => parseSlateJson({ ...minimal.json, ttl: 2 ** 53 }))).toBe('SLATE_INVALID')
})

test('a repeated member counts once, and __proto__ is a member like any other', () => {
  expect(parseSlateJson(withMember('amt', '"7"')).amount).toBe(7n)
  const poisoned = parseSlateJson(withMember('__proto__', '{"amt":"9","feat":2,"polluted":true}'))
  expect(poisoned).toEqual(parsed[0])
  expect('polluted' in {}).toBe(false)
  const nested = minimal.json_text.replace('"xs"', '"__proto__":{"part":"00"},"xs"')
  expect(parseSlateJson(nested)).toEqual(parsed[0])
})

test('numbers inside texts stay as they are', () => {
  const text = withMember('note', '"a \\"12345678901234567890\\" b"')
  expect(parseSlateJson(text)).toEqual(parsed[0])
})

test('hundreds of participants cost nothing: they are refused before any key is looked at', async () => {
  const one = JSON.stringify((minimal.json.sigs as unknown[])[0])
  const many = minimal.json_text.replace(/"sigs":\[.*\]/, `"sigs":[${Array(2000).fill(one).join(',')}]`)
  expect(await codeOf(() => parseSlateJson(many))).toBe('SLATE_INVALID')
})

test('errors name the member and never repeat a long value', () => {
  const body = 'x<script>'.repeat(40)
  try {
    parseSlateJson(withMember('sta', JSON.stringify(body)))
    expect.unreachable()
  } catch (error) {
    const { message } = error as Error
    expect(message).toContain('sta')
    expect(message.length).toBeLessThan(100)
    expect(message).not.toContain('<')
  }
})

test('the digest sees every member, and no spelling', () => {
  const slate = parsed[0]!
  const same = parseSlateJson(JSON.stringify({ zzz: 1, ...minimal.json, id: String(minimal.json.id).toUpperCase() }))
  expect(digestSlate(same)).toEqual(digestSlate(slate))
  expect(digestSlate({ ...slate, amount: nanoGrin(slate.amount + 1n) })).not.toEqual(digestSlate(slate))
  expect(digestSlate({ ...slate, ttl: 5n })).not.toEqual(digestSlate(slate))
})

test('a slate with fields of the wrong length is not written', () => {
  expect(() => encodeSlate({ ...parsed[0]!, offset: new Uint8Array(31) })).toThrow(RangeError)
  expect(() => encodeSlate({ ...parsed[0]!, id: 'no uuid' })).toThrow(RangeError)
})

test('sixteen participants are read, seventeen are not: every key costs a square root', async () => {
  const slate = parsed[0]!
  const [one] = slate.participants
  const among = (count: number) => ({ ...slate, participants: new Array<Participant>(count).fill(one!) })
  expect(decodeSlate(encodeSlate(among(16))).participants).toHaveLength(16)
  expect(await codeOf(() => decodeSlate(encodeSlate(among(17))))).toBe('SLATE_INVALID')
  expect(parseSlateJson(formatSlateJson(among(16))).participants).toHaveLength(16)
  expect(await codeOf(() => parseSlateJson(formatSlateJson(among(17))))).toBe('SLATE_INVALID')
})

test('a UUID has all its hyphens or none', async () => {
  const id = '2fa1c0de-9a7c-4b1e-8d3f-0123456789ab'
  const spelled = (text: string) => parseSlateJson({ ...minimal.json, id: text }).id
  const fine = [id, id.toUpperCase(), `urn:uuid:${id}`, id.replaceAll('-', '')]
  expect(fine.map(spelled)).toEqual(fine.map(() => id))
  const odd = [id.replace('-', ''), `urn:uuid:${id.replaceAll('-', '')}`, `{${id}}`, id.slice(1)]
  expect(await Promise.all(odd.map((text) => codeOf(() => spelled(text))))).toEqual(odd.map(() => 'SLATE_INVALID'))
})

test('what grin-wallet cannot read in binary is refused: a third output feature', async () => {
  const slate = { ...parsed[0]!, commitments: [{ coinbase: true, commitment: new Uint8Array(33).fill(8) }] }
  const bytes = encodeSlate(slate)
  const at = bytes.length - 34
  expect(decodeSlate(bytes).commitments).toEqual(slate.commitments)
  expect(await codeOf(() => decodeSlate(bytes.with(at, 2)))).toBe('SLATE_INVALID')
})

test('a proof signature whose second half is no scalar is refused in both forms', async () => {
  const signed = parsed.find(({ proof }) => proof?.signature)!
  const withLast = (byte: number): Slate => ({
    ...signed,
    proof: { ...signed.proof!, signature: signed.proof!.signature!.with(63, byte) },
  })
  expect(parseSlateJson(formatSlateJson(withLast(0x1f)))).toEqual(decodeSlate(encodeSlate(withLast(0x1f))))
  expect(await codeOf(() => parseSlateJson(formatSlateJson(withLast(0x20))))).toBe('SLATE_INVALID')
  expect(await codeOf(() => decodeSlate(encodeSlate(withLast(0x20))))).toBe('SLATE_INVALID')
})
