import { describe, expect, test } from 'vitest'
import { createWritePolicy, DEFAULT_POLICY, type PolicyParts } from '../../../src/relay/policy/index.js'
import type { Decision } from '../../../src/relay/ports.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { createKeptLog } from '../../support/kept-log.js'
import { answersOf } from '../../support/policy-program.js'

const ADA = 'aa'.repeat(32)
const policyOf = (changes: Partial<PolicyParts> = {}) =>
  createWritePolicy({ settings: DEFAULT_POLICY, clock: createFakeClock(), log: createKeptLog(), ...changes })
const answers = (...pieces: readonly (string | Buffer)[]) => answersOf(policyOf(), ...pieces)
const line = (event: object, more: object = {}) => `${JSON.stringify({ type: 'new', event, ...more })}\n`
const accepted = (id: string) => ({ id, action: 'accept', msg: '' })
const UNREADABLE = { id: '', action: 'reject', msg: 'policy error' }

describe('lines', () => {
  test('that are blank are ignored', async () => {
    expect(await answers('\n', ' \t\r\n', line({ id: 'x', kind: 0 }), '\n')).toEqual([accepted('x')])
  })

  test.each(['nonsense', '{', '[]', '[{"event":{}}]', '5', 'null', '"event"', '\u0000'])(
    'such as %j are an error, and the next one is answered',
    async (text) => {
      expect(await answers(`${text}\n${line({ id: 'x', kind: 0 })}`)).toEqual([UNREADABLE, accepted('x')])
    },
  )

  test('of more than a megabyte are an error, and the next one is answered', async () => {
    const long = line({ id: 'long', kind: 0, content: 'x'.repeat(1024 * 1024) })
    expect(await answers(long, line({ id: 'x', kind: 0 }))).toEqual([UNREADABLE, accepted('x')])
  })

  test('may come in pieces, and the last one without its end', async () => {
    const [a, b] = [line({ id: 'ä', kind: 0 }), line({ id: 'b', kind: 0 }).trim()]
    const bytes = Buffer.from(a + b)
    const pieces = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
    expect(await answers(...pieces)).toEqual([accepted('ä'), accepted('b')])
  })
})

describe('what a relay says of an event', () => {
  test.each([[5], [null], [{}], [['x']], [undefined]])('id %j comes back as an empty one', async (id) => {
    expect(await answers(line({ id, kind: 0 }))).toEqual([accepted('')])
  })

  test.each([[5], [null], [[ADA]], [{}], ['']])('key %j of the connection is none', async (authed) => {
    const policy = policyOf({ settings: { ...DEFAULT_POLICY, requireAuth: true } })
    const [answer] = await answersOf(policy, line({ id: 'x', kind: 0 }, { authed }))
    expect(answer).toMatchObject({ action: 'reject', msg: 'auth-required: publish after NIP-42 AUTH' })
  })

  test.each([
    { kind: 1, pubkey: 5 },
    { kind: 1, pubkey: [ADA] },
    { kind: 1059, tags: [['p', 5]] },
    { kind: 1059, tags: [['p', ['aa'.repeat(32)]]] },
    { kind: 1059, tags: { length: 1, 0: ['p', ADA] } },
    { kind: 1059, tags: ['p', ADA] },
    { kind: 1059, tags: [null] },
    { kind: 1059 },
    { kind: Number.MAX_SAFE_INTEGER + 2 },
    { __proto__: { kind: 0 } },
  ])('%j is refused and breaks nothing', async (event) => {
    const [answer] = await answers(line({ id: 'x', ...event }))
    expect(answer).toMatchObject({ id: 'x', action: 'reject', msg: expect.stringMatching(/^blocked: /) })
  })

  test('where it came from does not matter', async () => {
    for (const sourceType of ['IP4', 'IP6', 'Import', 'Stream', 'Sync', 'Stored', 'Mars'])
      expect(await answers(line({ id: 'x', kind: 4 }, { sourceType }))).toMatchObject([{ action: 'reject' }])
  })
})

test('questions are answered one after the other, in their order', async () => {
  const asked: string[] = []
  const decide = async ({ event }: { event: { id: string } }): Promise<Decision> => {
    asked.push(`ask ${event.id}`)
    await new Promise((resolve) => setImmediate(resolve))
    asked.push(`done ${event.id}`)
    return { action: 'accept' }
  }
  const policy = { refusalFor: () => undefined, ask: decide }
  expect(await answersOf(policy, line({ id: 'a' }) + line({ id: 'b' }))).toEqual([accepted('a'), accepted('b')])
  expect(asked).toEqual(['ask a', 'done a', 'ask b', 'done b'])
})
