// Black box: a till in a process of its own, relays on real sockets, and everything that strangers and relays may send it. While it
// is attacked, other customers are answered in time; after it, the till is as small as before and the attacked invoice can be paid.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isGenuine } from '../../src/nostr/event/index.js'
import { openSqlite } from '../../src/storage/sqlite/sqlite.js'
import { findRailFaults, isAnswered, purseOf } from '../faults/rail-checker.js'
import { payment, type RailPayer, readWrap } from '../faults/rail-payers.js'
import { AMOUNT, type Invoice, openStage, pause, type Stage, waitUntil } from '../faults/rail-stage.js'
import { startHostileRelay } from '../support/hostile-relay.js'
import { armoredS1, noise } from '../support/hostile-slatepacks.js'
import { startTillProcess, type TillProcess } from '../support/till-process.js'
import { HOSTILE_WRAPS, withForgedRumorId } from './hostile-wraps.js'
import { junkWraps } from './junk-wraps.js'

const JUNK = 10_000
/** Faster than the minute that the till must stand. */
const JUNK_MS = 20_000
const TICK_MS = 50
const IN_TIME_MS = 5000
const GROWTH_MB = 150

let stage: Stage
let till: TillProcess
let liar: Awaited<ReturnType<typeof startHostileRelay>>

beforeAll(async () => {
  stage = await openStage()
  liar = await startHostileRelay(LIES)
  const relays = [stage.relays[0].url, liar.url]
  till = await startTillProcess({ ...stage.settings, PAY_RELAYS: relays.join(',') })
})

afterAll(async () => {
  await till?.stop()
  await liar?.close()
  await stage?.close()
})

/** Never EOSE, never OK; unrequested events, forgeries, and a frame that is too large now and then. */
const LIES = {
  heard(relay: { say(message: unknown): void }, verb: string, [sub]: readonly unknown[]) {
    if (verb !== 'REQ') return
    const [junk] = junkWraps('0'.repeat(63).concat('1'), 1, Date.now())
    for (let round = 0; round < 20; round += 1) {
      relay.say(['EVENT', sub, { ...junk, sig: 'ab'.repeat(64) }])
      relay.say(['EVENT', 'never-asked', junk])
      relay.say(['OK', 'ff'.repeat(32), true, ''])
      relay.say('{"not": "a message"')
    }
    relay.say(`["NOTICE","${'x'.repeat(600_000)}"]`)
  },
}

const memory = (): number => {
  const status = readFileSync(`/proc/${till.child.pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}

const rowsOf = (sql: string): readonly unknown[] => {
  const db = openSqlite(stage.world.path, 'reading')
  try {
    return db.all(sql)
  } finally {
    db.close()
  }
}

/** Milliseconds from the S1 at the relay to the S2 at the relay. */
async function pay(payer: RailPayer, ms = 20_000): Promise<number> {
  const since = Date.now()
  stage.send(payer, [stage.relays[0]], since)
  await waitUntil(() => isAnswered(payer, stage.relays), ms)
  return isAnswered(payer, stage.relays) ? Date.now() - since : Number.POSITIVE_INFINITY
}

/** Waits until a fresh invoice was paid: what came before it was read by then. */
async function afterAnotherPayment(): Promise<void> {
  expect(await pay(stage.payer(await stage.invoice()))).toBeLessThan(20_000)
}

const payments = () => rowsOf('SELECT id FROM payment').length

test('a wrap that is wrong in one thing changes nothing; the same invoice is paid afterwards', async () => {
  const [invoice, other] = [await stage.invoice(), await stage.invoice()]
  const before = payments()
  const target = { to: invoice.pubkey, other: other.pubkey, s1: armoredS1({ amount: AMOUNT }) }
  for (const [, make] of HOSTILE_WRAPS) stage.relays[0].shout(JSON.stringify(['EVENT', 'till-0', make(target)]))
  await afterAnotherPayment()
  expect(payments()).toBe(before + 1)
  expect(await pay(stage.payer(invoice))).toBeLessThan(20_000)
  expect(findRailFaults(stage.world)).toEqual([])
})

test('a rumor that claims a false id is judged by its own', async () => {
  const invoice = await stage.invoice()
  const target = { to: invoice.pubkey, other: invoice.pubkey, s1: armoredS1({ amount: AMOUNT }) }
  // The way the hostile ones above came: it shows that they were heard.
  stage.relays[0].shout(JSON.stringify(['EVENT', 'till-0', withForgedRumorId(target)]))
  const isPaid = () => rowsOf(`SELECT 1 FROM invoice WHERE id = '${invoice.id}' AND status = 'paid'`).length === 1
  expect(await waitUntil(isPaid, 20_000)).toBe(true)
})

test.each([
  ['another amount', async (_: Invoice) => armoredS1({ amount: AMOUNT + 1n }), /exactly 1\.25 GRIN/],
  [
    'an invoice that another payment is signed for',
    async (invoice: Invoice) => {
      await pay(stage.payer(invoice))
      return armoredS1({ amount: AMOUNT })
    },
    /another payment of this invoice is signed already and waits for the network/,
  ],
])('an S1 for %s is refused in words that its payer can read', async (_, s1For, words) => {
  const invoice = await stage.invoice()
  const s1 = await s1For(invoice)
  const payer = { ...stage.payer(invoice, { isRival: true }), s1 }
  const before = payments()
  stage.relays[0].publish(payment(payer, Date.now()))
  expect(await waitUntil(() => stage.relays[0].wrapsTo(payer.pubkey).length > 0, 20_000)).toBe(true)
  const [wrap] = stage.relays[0].wrapsTo(payer.pubkey)
  expect(wrap && readWrap(payer, wrap)).toMatchObject({ author: invoice.pubkey, content: expect.stringMatching(words) })
  expect(payments()).toBe(before)
})

test(`${JUNK} junk wraps in ${JUNK_MS / 1000} s to one invoice, and a relay that lies: others are answered in time`, async () => {
  const attacked = await stage.invoice()
  const junk = junkWraps(attacked.pubkey, JUNK, Date.now())
  expect(junk.slice(0, 3).every(isGenuine)).toBe(true)
  await afterAnotherPayment()
  const before = memory()
  const flood = sendSteadily(junk)
  const waits: number[] = []
  for (const end = Date.now() + JUNK_MS; Date.now() < end; ) {
    waits.push(await pay(stage.payer(await stage.invoice())))
    await pause(300)
  }
  await flood
  const after = memory()
  const sorted = waits.toSorted((a, b) => a - b)
  console.log(
    `during the flood: ${waits.length} payments, median ${sorted[sorted.length >> 1]} ms, slowest ${sorted.at(-1)} ms`,
  )
  console.log(`memory of the till: ${before} MB before, ${after} MB after`)
  expect(waits.length).toBeGreaterThan(3)
  expect(Math.max(...waits)).toBeLessThan(IN_TIME_MS)
  expect(after - before).toBeLessThan(GROWTH_MB)
  expect(findRailFaults(stage.world)).toEqual([])
})

async function sendSteadily(wraps: readonly ReturnType<typeof junkWraps>[number][]): Promise<void> {
  const [relay] = stage.relays
  const each = Math.ceil((wraps.length * TICK_MS) / JUNK_MS)
  const started = Date.now()
  for (let sent = 0, tick = 1; sent < wraps.length; sent += each, tick += 1) {
    for (const wrap of wraps.slice(sent, sent + each)) relay.publish(wrap)
    await pause(Math.max(0, started + tick * TICK_MS - Date.now()))
  }
}

test('frames that are no messages, and a frame that is too large, end at most the connection', async () => {
  const [relay] = stage.relays
  for (const frame of [
    '',
    '[]',
    '[1]',
    '"EVENT"',
    '["EVENT"]',
    '["EVENT","till-0",null]',
    '['.repeat(10_000),
    noise(2000).toString('latin1'),
  ])
    relay.shout(frame)
  relay.shout(JSON.stringify(['NOTICE', 'x'.repeat(600_000)]))
  const payer = stage.payer(await stage.invoice())
  expect(await pay(payer)).toBeLessThan(20_000)
  expect(purseOf(payer, stage.relays).replies.size).toBe(1)
  expect(till.child.exitCode).toBe(null)
  expect(liar.connections()).toBeLessThan(30)
})
