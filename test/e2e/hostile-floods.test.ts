// Clients that ask too often or claim a foreign address, against the daemon with its limits on.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { armoredS1 } from '../support/hostile-slatepacks.js'
import { type HostileTill, type OpenInvoice, openHostileTill } from '../support/hostile-till.js'
import { codeIn, type RawAnswer } from '../support/raw-http.js'

let direct: HostileTill
let proxied: HostileTill
const invoices = new Map<HostileTill, OpenInvoice>()

beforeAll(async () => {
  direct = await openHostileTill({ PAY_RATE_LIMITS: 'on', PAY_TRUSTED_PROXIES: '10.0.0.0/8' })
  proxied = await openHostileTill({ PAY_RATE_LIMITS: 'on', PAY_TRUSTED_PROXIES: '127.0.0.1' })
  for (const till of [direct, proxied]) invoices.set(till, await till.invoice())
})
afterAll(async () => {
  await direct.close()
  await proxied.close()
})

/** Pastes in one minute of the clock, so that no count begins anew between them. */
async function paste(till: HostileTill, headers: readonly string[], body = 'slatepack=x'): Promise<RawAnswer> {
  return till.send({
    method: 'POST',
    path: `/pay/${invoices.get(till)?.token}/slatepack`,
    headers: ['Content-Type: application/x-www-form-urlencoded', 'Accept: application/json', ...headers],
    body,
  })
}

async function untilANewMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000)
  if (left < 15_000) await new Promise((resolve) => setTimeout(resolve, left + 10))
}

const statusesOf = (answers: readonly RawAnswer[]) => answers.map(({ status }) => status)

test('an address that a stranger claims changes nothing: the eleventh paste of a minute is 429', async () => {
  await untilANewMinute()
  const before = direct.fingerprint()
  const answers = []
  for (let asked = 0; asked < 12; asked++)
    answers.push(
      await paste(direct, [
        `X-Forwarded-For: 203.0.113.${asked}`,
        `X-Real-IP: 203.0.113.${asked}`,
        `Forwarded: for=203.0.113.${asked}`,
      ]),
    )
  expect(statusesOf(answers)).toEqual([...Array(10).fill(422), 429, 429])
  expect(codeIn(answers[11]!)).toBe('RATE_LIMITED')
  expect(Number(answers[11]?.headers['retry-after'])).toBeGreaterThan(0)
  expect(direct.fingerprint()).toBe(before)
  direct.expectCleanLog()
})

test('through the proxy each customer has a limit, whatever the customer wrote before it', async () => {
  await untilANewMinute()
  const from = (client: string) => paste(proxied, [`X-Forwarded-For: 198.51.100.7, ${client}`])
  const ours = []
  for (let asked = 0; asked < 12; asked++)
    ours.push(await paste(proxied, [`X-Forwarded-For: 198.51.100.${asked}, 203.0.113.5`]))
  expect(statusesOf(ours)).toEqual([...Array(10).fill(422), 429, 429])
  expect((await from('203.0.113.6')).status).toBe(422)
  expect((await from('203.0.113.5')).status).toBe(429)
})

test('a whole IPv6 network is one customer', async () => {
  await untilANewMinute()
  const answers = []
  for (let asked = 0; asked < 12; asked++)
    answers.push(await paste(proxied, [`X-Forwarded-For: 2001:db8:1:2::${asked.toString(16)}`]))
  expect(statusesOf(answers).slice(10)).toEqual([429, 429])
})

test.each(['', ',', 'unknown', '"203.0.113.9"', '203.0.113.9:99999:1', 'a'.repeat(5_000), '::ffff:1.2.3.4.5', '%00'])(
  'a forwarded address that is none (%s) falls back to the proxy',
  async (value) => {
    const answer = await proxied.send({ path: '/health', headers: [`X-Forwarded-For: ${value}`] })
    expect(answer.status).toBe(200)
  },
)

test('of twenty honest pastes at once from one address no more than three run, and the payment is made once', async () => {
  await untilANewMinute()
  const invoice = await proxied.invoice(5_000_000n)
  const keys = proxied.nextKeyIndex()
  const headers = [
    'Content-Type: application/x-www-form-urlencoded',
    'Accept: application/json',
    'X-Forwarded-For: 203.0.113.77',
  ]
  const body = new URLSearchParams({ slatepack: armoredS1(invoice) }).toString()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      proxied.send({ method: 'POST', path: `/pay/${invoice.token}/slatepack`, headers, body }),
    ),
  )
  const statuses = statusesOf(answers)
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([])
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0)
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(10)
  expect([proxied.nextKeyIndex() - keys, proxied.count('payment')]).toEqual([1, 1])
})

test('frames that are kept waiting: beyond forty of one customer they are answered at once, no other customer waits, and news frees all', async () => {
  await untilANewMinute()
  const token = invoices.get(proxied)?.token
  const frame = (client: string) =>
    proxied.send(
      { path: `/pay/${token}/frame?seen=open.0`, headers: [`X-Forwarded-For: ${client}`] },
      { patienceMs: 40_000 },
    )
  const held = Array.from({ length: 40 }, () => frame('203.0.113.88'))
  await new Promise((resolve) => setTimeout(resolve, 500))
  const extra = await frame('203.0.113.88')
  expect([extra.status, extra.ms < 5_000]).toEqual([200, true])
  const page = await proxied.send({ path: `/pay/${token}`, headers: ['X-Forwarded-For: 203.0.113.89'] })
  expect([page.status, page.ms < 2_000]).toEqual([200, true])
  const { amount } = invoices.get(proxied) ?? { amount: 0n }
  const body = new URLSearchParams({ slatepack: armoredS1({ amount }) }).toString()
  expect((await paste(proxied, ['X-Forwarded-For: 203.0.113.90'], body)).status).toBe(200)
  const freed = await Promise.all(held)
  expect(statusesOf(freed)).toEqual(Array(40).fill(200))
  expect(freed.filter(({ body }) => !body.includes('finish in your wallet'))).toEqual([])
})
