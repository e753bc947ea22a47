// Laws of what HTTP reads before anybody has shown a token: no bytes throw anything but the documented error.
import { isIP } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  bodyDigest,
  createApp,
  createClientAddress,
  hasBearer,
  idempotencyKeyOf,
  preference,
  printJson,
  readFormBodies,
  readJson,
} from '../../src/http/index.js'
import { GrinpayError } from '../../src/lib/errors.js'
import { Secret } from '../../src/lib/secret.js'

const codeOf = (run: () => unknown): string => {
  try {
    run()
    return 'ok'
  } catch (error) {
    return error instanceof GrinpayError ? error.code : String(error)
  }
}

const TOKENS = [
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '"',
  '\\',
  '\\u',
  '\\ud800',
  '__proto__',
  '1',
  '-',
  '.',
  'e',
  '0',
  'true',
  'null',
  ' ',
  '\n',
  '\0',
  'é',
  '\u{1f600}',
]
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc.array(fc.constantFrom(...TOKENS), { maxLength: 60 }).map((parts) => parts.join('')),
)

test('any bytes are JSON or INVALID_JSON', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    texts.map((text) => Buffer.from(text)),
  )
  fc.assert(
    fc.property(bytes, (body) => void expect(['ok', 'INVALID_JSON']).toContain(codeOf(() => readJson(body)))),
    { numRuns: 3000 },
  )
})

test('whatever we accept as JSON, JSON.parse accepts too', () => {
  fc.assert(
    fc.property(texts, (text) => {
      if (codeOf(() => readJson(Buffer.from(text))) === 'ok') expect(() => JSON.parse(text)).not.toThrow()
    }),
    { numRuns: 3000 },
  )
})

test('a value keeps its digest through any spelling, and its members have no prototype to reach', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const once = readJson(Buffer.from(printJson(value)))
      const spaced = readJson(Buffer.from(JSON.stringify(value, null, 3)))
      expect(bodyDigest(spaced)).toBe(bodyDigest(once))
      expect(Object.getPrototypeOf(once)).toBe(null)
    }),
  )
})

test('any header is a token that matches, or not; only the token itself does', () => {
  const token = new Secret(`pay_live_${'a'.repeat(64)}`)
  const near = fc.tuple(
    fc.constantFrom('Bearer ', 'bearer\t', 'Bearer', ' Bearer  ', 'Basic ', ''),
    fc.constantFrom('', token.reveal(), token.reveal().slice(1), `${token.reveal()}x`),
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        near.map((parts) => parts.join('')),
      ),
      (header) => {
        const words = header.trim().split(/[ \t]+/)
        expect(hasBearer(header, [token])).toBe(
          words.length === 2 && words[0]?.toLowerCase() === 'bearer' && words[1] === token.reveal(),
        )
      },
    ),
  )
})

test('whatever a trusted proxy names, the client is an address; whatever a stranger names, it is the stranger', () => {
  const addressOf = createClientAddress(['10.0.0.0/8', '::1'])
  const names = fc.oneof(
    fc.string(),
    fc.ipV4(),
    fc.ipV6(),
    fc.ipV4().map((ip) => `${ip}:80`),
    fc.ipV6().map((ip) => `[${ip}]:80`),
  )
  fc.assert(
    fc.property(
      fc.array(names, { maxLength: 4 }),
      fc.constantFrom('10.1.2.3', '::1', '::ffff:10.9.9.9', '192.0.2.1'),
      (entries, remoteAddress) => {
        const client = addressOf({ socket: { remoteAddress }, headers: { 'x-forwarded-for': entries.join(',') } })
        expect(isIP(client)).not.toBe(0)
        if (remoteAddress === '192.0.2.1') expect(client).toBe(remoteAddress)
      },
    ),
  )
})

test('any Accept header asks for something, and any key is one or INVALID_IDEMPOTENCY_KEY', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(Number.isFinite(preference(text, 'application/json'))).toBe(true)
      const isKey = /^[\x21-\x7e]{1,128}$/.test(text)
      expect(codeOf(() => idempotencyKeyOf(text))).toBe(isKey ? 'ok' : 'INVALID_IDEMPOTENCY_KEY')
    }),
  )
})

test('any form is fields or 400, never 500, and no field is one that an object has anyway', async () => {
  const app = createApp({
    clock: { monotonic: () => 0 },
    random: { bytes: (length) => new Uint8Array(length) },
    rateLimits: false,
  })
  readFormBodies(app)
  app.post('/form', async ({ body }) => ({
    fields: Object.entries(body ?? {}),
    prototype: Object.getPrototypeOf(body ?? null),
  }))
  const pieces = fc.array(
    fc.constantFrom('a', '=', '&', '%', '%zz', '%00', '%ff', '+', '__proto__', 'constructor', ';', '\r\n', 'ü'),
    { maxLength: 30 },
  )
  await fc.assert(
    fc.asyncProperty(
      pieces.map((parts) => parts.join('')),
      async (payload) => {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' }
        const answer = await app.inject({ method: 'POST', url: '/form', headers, payload })
        expect([200, 400]).toContain(answer.statusCode)
        if (answer.statusCode === 200) expect(answer.json().prototype).toBe(null)
      },
    ),
  )
  await app.close()
})
