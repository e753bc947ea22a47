// The script of a name, run against an authority that a test writes.
import { expect, test } from 'vitest'
import { createNameScript, type NameScriptParts } from '../../src/sandbox/name-script.js'
import { serving } from '../support/local-server.js'
import { countingRandom } from '../support/till-app.js'
import { NOON } from '../support/till-builders.js'
import { codeOf } from '../support/vectors.js'

interface Claim {
  readonly name: string
  readonly pubkey: string
  readonly authorization: string | undefined
}
type Reply = (claim: Claim) => { readonly status: number; readonly json: object }

const due: Reply = () => ({ status: 402, json: { error: 'payment_required', invoice_id: 'inv1', price_grin: '0.5' } })
const granted: Reply = ({ name }) => ({ status: 201, json: { name, nip05: `${name}@sandbox.example` } })
const refused: Reply = () => ({ status: 409, json: { error: 'name taken' } })

interface Script {
  /** Answers to claims, in order; the last one for ever. */
  readonly replies: readonly Reply[]
  readonly taken?: readonly string[]
  /** Whom the document names; by default the key that was granted the name. */
  readonly holder?: string
}

async function openAuthority({ replies, taken = [], holder }: Script) {
  const claims: Claim[] = []
  const url = await serving(async (request, response) => {
    const send = (json: object, status = 200) => response.writeHead(status).end(JSON.stringify(json))
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://authority')
    const name = pathname.split('/')[4] ?? searchParams.get('name') ?? ''
    if (request.method === 'GET' && pathname.startsWith('/api/v1/name/'))
      return send({ available: !taken.includes(name) })
    if (request.method === 'GET') return send({ names: { [name]: holder ?? claims[0]?.pubkey }, relays: {} })
    let body = ''
    for await (const chunk of request) body += chunk
    const claim: Claim = { ...JSON.parse(body), authorization: request.headers.authorization }
    claims.push(claim)
    const { status, json } = (replies[claims.length - 1] ?? replies.at(-1) ?? refused)(claim)
    return send(json, status)
  })
  return { claims, url }
}

async function stage(script: Script) {
  const { claims, url } = await openAuthority(script)
  const lines: string[] = []
  const invoice = { invoice_id: 'inv1', pay_url: 'http://till/pay/tok', confirmations: 1, confirmations_required: 3 }
  const views = ['open', 'paid', 'confirmed'].map((status) => ({ ...invoice, status }))
  const paid: string[] = []
  let [now, look] = [NOON, 0]
  const parts: NameScriptParts = {
    namesUrl: url,
    api: {
      invoice: async () =>
        views[Math.min(look++, 2)] as unknown as Awaited<ReturnType<NameScriptParts['api']['invoice']>>,
    },
    pay: async ({ invoice_id }) => {
      paid.push(invoice_id)
      return { slateId: 'slate-1', excess: '08ab', transaction: {} }
    },
    print: (line = '') => lines.push(line.trim()),
    clock: {
      now: () => now,
      monotonic: () => now,
      sleep: async (ms) => {
        now += Math.max(ms, 1000)
      },
    },
    random: { ...countingRandom(), uuid: () => 'uuid' },
    signal: new AbortController().signal,
  }
  return { tale: createNameScript(parts), lines, claims, paid, url }
}

test('a name is quoted, paid, confirmed, granted, and resolves', async () => {
  const { tale, lines, claims, paid, url } = await stage({ replies: [due, granted] })
  expect(await tale.tell()).toBe('alice')
  expect(paid).toEqual(['inv1'])
  expect(lines.filter((line) => /^(answer|checkout|document)|→/.test(line))).toEqual([
    'answer    402, the name costs 0.5 GRIN',
    'checkout  http://till/pay/tok',
    'open → paid, 1 of 3 confirmations',
    'paid → confirmed',
    'answer    201, alice@sandbox.example',
    `document  ${url}/.well-known/nostr.json?name=alice`,
  ])
  expect(new Set(claims.map(({ authorization }) => authorization)).size).toBe(2)
})

test('what was begun is not done twice, and prints nothing until its end is known', async () => {
  const { tale, lines, claims, paid } = await stage({ replies: [due, granted] })
  tale.begin()
  tale.begin()
  expect(lines).toEqual([])
  await tale.tell()
  expect(paid).toHaveLength(1)
  expect(claims).toHaveLength(2)
})

test('names that others hold are left to them', async () => {
  const { tale } = await stage({ replies: [due, granted], taken: ['alice', 'bob'] })
  expect(await tale.tell()).toBe('carol')
})

test('when every favourite is gone, a guest comes', async () => {
  const taken = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank']
  const { tale } = await stage({ replies: [due, granted], taken })
  expect(await tale.tell()).toMatch(/^guest[0-9a-f]{8}$/)
})

test('an authority that hears late of the payment is asked again, each time with a new signature', async () => {
  const { tale, claims } = await stage({ replies: [due, due, due, granted] })
  await tale.tell()
  expect(new Set(claims.map(({ authorization }) => authorization)).size).toBe(4)
})

test.each([
  ['a refusal', { replies: [refused] }],
  ['a refusal after the payment', { replies: [due, refused] }],
  ['a name that is given out for nothing', { replies: [granted] }],
  ['an authority that never hears of the payment', { replies: [due] }],
  ['a document that names another key', { replies: [due, granted], holder: 'ab'.repeat(32) }],
])('%s ends the story with its reason', async (_, script) => {
  const { tale } = await stage(script)
  expect(await codeOf(() => tale.tell())).toBe('SANDBOX_NAME_REFUSED')
})
