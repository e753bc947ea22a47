import { expect, test } from 'vitest'
import { toHex } from '../../../src/lib/bytes.js'
import { tillLoops } from '../../../src/till/index.js'
import { aSlate } from '../../support/fake-wallet.js'
import { grin, MINUTE, SECOND } from '../../support/till-builders.js'
import { type FakeTillOptions, openTill } from '../../support/till-parts.js'

const PASSES = ['confirm payments', 'look for young payments']

/** A paid invoice, and the two loops that look at the chain, on a clock that a test moves. */
async function paid(options: FakeTillOptions = {}) {
  const opened = openTill(options)
  const { till, store, chain, clock } = opened
  const asked: number[] = []
  const { poolExcesses } = chain
  chain.poolExcesses = (nodes) => {
    asked.push(clock.now())
    return poolExcesses(nodes)
  }
  const { invoice } = await till.createInvoice({ amountNanogrin: grin(2) })
  const { payment } = await till.pasteSlatepack(invoice.token, aSlate())
  const loops = tillLoops(till).filter(({ name }) => PASSES.includes(name))
  expect(loops.map(({ name }) => name)).toEqual(PASSES)
  const due = new Map(loops.map((loop) => [loop, clock.now()]))

  /** Runs the loops as the composition does. */
  async function run(ms: number): Promise<void> {
    for (const end = clock.now() + ms; clock.now() < end; await clock.advance(SECOND))
      for (const [loop, at] of due)
        if (at <= clock.now()) {
          await loop.pass()
          due.set(loop, clock.now() + loop.everyMs)
        }
  }
  const now = async () => (await store.paymentById(payment.id))?.settlement
  /** Milliseconds until the payment is so far. */
  async function until(settlement: string, most = MINUTE): Promise<number> {
    const from = clock.now()
    while ((await now()) !== settlement && clock.now() - from < most) await run(SECOND)
    return clock.now() - from
  }
  return { ...opened, payment, asked, run, now, until }
}

test('a kernel in the pool is seen within three seconds, and what came before it is asked for once a look', async () => {
  const { run, until, chain, payment, asked, now } = await paid()
  await run(7 * SECOND)
  expect(await now()).toBe('replied')
  expect(asked.length).toBeLessThanOrEqual(6)
  chain.pool.add(toHex(payment.excess))
  expect(await until('seen')).toBeLessThanOrEqual(3 * SECOND)
})

test('one request is enough for all young payments', async () => {
  const { till, wallet, run, asked, chain, clock } = await paid()
  await run(5 * SECOND)
  const made = []
  for (let i = 0; i < 20; i += 1) made.push((await till.accept({ slate: wallet.slateOf({}), rail: 'nostr' })).payment)
  for (const { excess } of made) chain.pool.add(toHex(excess))
  await run(3 * SECOND)
  expect((await till.balance()).seen?.count).toBe(20)
  const from = clock.now()
  await run(4 * SECOND)
  expect(asked.filter((at) => at >= from)).toHaveLength(2)
})

test('a new block is counted within three seconds while the payment is young', async () => {
  const { run, until, chain, payment, store } = await paid()
  chain.pool.add(toHex(payment.excess))
  await run(3 * SECOND)
  chain.pool.clear()
  chain.height += 1
  chain.mine(payment, chain.height)
  expect(await until('mined')).toBeLessThanOrEqual(3 * SECOND)
  chain.height += 1
  await run(3 * SECOND)
  expect((await store.paymentById(payment.id))?.confirmations).toBe(2)
})

test('nothing is asked when nothing is young or all of it is seen', async () => {
  const { run, asked, chain, payment } = await paid()
  await run(10 * MINUTE)
  const from = asked.length
  await run(10 * MINUTE)
  // The usual pass goes on by itself.
  expect(asked.length - from).toBeLessThanOrEqual(21)
  chain.pool.add(toHex(payment.excess))
  await run(MINUTE)
  const other = await paid()
  other.chain.pool.add(toHex(other.payment.excess))
  await other.until('seen')
  const seen = other.asked.length
  await other.run(MINUTE)
  expect(other.asked.length - seen).toBeLessThanOrEqual(3)
})

test('a node that fails is asked ever more rarely, up to the interval of the usual pass, and logged by that pass alone', async () => {
  const { run, until, chain, payment, log, till } = await paid()
  await run(4 * SECOND)
  const lines = log.length
  const looks: number[] = []
  const { tip } = chain
  Object.assign(chain, {
    tip: () => {
      looks.push(1)
      return tip()
    },
  })
  chain.down = 'connection refused'
  await run(2 * MINUTE)
  expect(looks.length).toBeLessThanOrEqual(15)
  expect(log.length - lines).toBeLessThanOrEqual(4)
  chain.down = undefined
  chain.pool.add(toHex(payment.excess))
  expect(await until('seen')).toBeLessThanOrEqual(30 * SECOND)
  expect((await till.status()).alarms).toEqual([])
})

test('with PAY_CONFIRM_NODES one node alone moves nothing', async () => {
  const { run, now, chain, payment, until } = await paid({ settings: { confirmNodes: 2 } })
  const alone = toHex(payment.excess)
  let hosts = 1
  const { poolExcesses } = chain
  chain.poolExcesses = async (nodes = 1) => (nodes <= hosts ? new Set([alone]) : poolExcesses(nodes))
  await run(10 * SECOND)
  expect(await now()).toBe('replied')
  hosts = 2
  expect(await until('seen')).toBeLessThanOrEqual(3 * SECOND)
})

test('a check that does not move the payment is not repeated every two seconds', async () => {
  const { run, chain, payment, store, clock } = await paid()
  await run(4 * SECOND)
  const looks: number[] = []
  Object.assign(store, {
    recordSighting: async () => {
      looks.push(clock.now())
      await store.postponeCheck(payment.id, clock.now() + 24 * SECOND)
    },
  })
  chain.pool.add(toHex(payment.excess))
  await run(2 * MINUTE)
  expect(looks.length).toBeLessThanOrEqual(14)
})
