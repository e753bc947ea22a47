// Transactions on their way to the chain: handed over until they are mined, and given up only when they never can be.
import { expect, test } from 'vitest'
import { settled } from '../../support/fake-clock.js'
import { anI2, invoiceOn, offerOf, openRail } from '../../support/grin1.js'
import { look, MINUTE, SECOND, WORKER } from '../../support/till-builders.js'
import type { OpenedTill } from '../../support/till-parts.js'

/** A till with one payment by invoice slate, its transaction handed over once. */
async function openPaid(prepare: (opened: OpenedTill) => void = () => {}) {
  const opened = openRail()
  await opened.till.passes.confirm()
  const invoice = await invoiceOn(opened)
  prepare(opened)
  const { payment } = await opened.till.finalize(offerOf(opened, anI2(invoice)))
  await settled()
  const pass = async (after: number) => {
    await opened.clock.advance(after)
    await opened.till.passes.push()
  }
  /** What the transaction spends is on the chain. */
  const fund = () => {
    const { body } = JSON.parse(opened.chain.pushed[0]?.transaction ?? '')
    for (const { commit } of body.inputs) opened.chain.outputs.add(commit)
  }
  return { ...opened, invoice, payment, pass, fund, tries: () => opened.chain.pushed.length }
}

test('handed over at once by Dandelion, then to everybody, less and less often', async () => {
  const { chain, pass, tries } = await openPaid()
  expect(tries()).toBe(1)
  await pass(29 * SECOND)
  expect(tries()).toBe(1)
  await pass(SECOND)
  expect(tries()).toBe(2)
  await pass(30 * SECOND)
  expect(tries()).toBe(2)
  await pass(30 * SECOND)
  expect(tries()).toBe(3)
  for (let minutes = 0; minutes < 60; minutes += 1) await pass(MINUTE)
  expect(tries()).toBe(10)
  expect(chain.pushed.map(({ fluff }) => fluff)).toEqual([false, ...Array(9).fill(true)])
  expect(new Set(chain.pushed.map(({ transaction }) => transaction)).size).toBe(1)
})

test('no more once its kernel is in a block, and again at once after a reorganisation', async () => {
  const { till, chain, clock, payment, pass, tries } = await openPaid()
  chain.mine(payment, chain.height)
  await till.passes.confirm()
  for (let minutes = 0; minutes < 30; minutes += 1) await pass(MINUTE)
  expect(tries()).toBe(1)
  chain.drop(payment)
  await clock.advance(MINUTE)
  await till.passes.confirm()
  await pass(0)
  expect(tries()).toBe(2)
})

test('a push that was under way when the kernel came does not start it all again', async () => {
  const { till, store, chain, clock, payment, pass, tries } = await openPaid()
  chain.mine(payment, chain.height)
  await till.passes.confirm()
  await store.recordPush(payment.id, clock.now(), null, WORKER)
  await pass(MINUTE)
  expect(tries()).toBe(1)
})

test('while no node answers it is tried again, and nothing is given up', async () => {
  const { chain, store, payment, pass, tries } = await openPaid()
  chain.down = 'no node is usable'
  for (let minutes = 0; minutes < 20; minutes += 1) await pass(MINUTE)
  const during = tries()
  expect(during).toBeGreaterThan(3)
  expect((await store.paymentById(payment.id))?.settlement).toBe('received')
  chain.down = undefined
  for (let minutes = 0; minutes < 10; minutes += 1) await pass(MINUTE)
  expect(tries()).toBeGreaterThan(during)
})

const REFUSED = Array<string>(9).fill('General pool error failed to validate tx')

test('given up with an alarm when an input is gone and the kernel is not on the chain', async () => {
  const { till, store, clock, chain, log, invoice, payment, pass, tries } = await openPaid(({ chain }) =>
    chain.refusals.push(...REFUSED),
  )
  await pass(30 * SECOND)
  expect((await store.paymentById(payment.id))?.settlement).toBe('received')
  await pass(MINUTE)
  expect(await store.paymentById(payment.id)).toMatchObject({
    settlement: 'abandoned',
    nextCheckAt: clock.now() + 10 * MINUTE,
  })
  expect(await till.findInvoice(invoice.id)).toMatchObject({ status: 'expired', paymentId: payment.id })
  expect((await till.status()).alarms).toEqual([
    expect.stringMatching(`^transaction of payment ${payment.id}: given up, .*failed to validate tx`),
  ])
  expect(log.filter(({ level }) => level === 'error')).toHaveLength(1)
  await pass(MINUTE)
  expect(tries()).toBe(3)
  expect((await till.status()).alarms).toHaveLength(1)

  chain.mine(payment, chain.height)
  await clock.advance(10 * MINUTE)
  await till.passes.confirm()
  await pass(0)
  expect(await till.findInvoice(invoice.id)).toMatchObject({ status: 'paid' })
  expect((await till.status()).alarms).toEqual([])
})

test('a refusal while all inputs are there is no end', async () => {
  const { store, payment, pass, fund, tries } = await openPaid(({ chain }) => chain.refusals.push(...REFUSED))
  fund()
  for (let minutes = 0; minutes < 8; minutes += 1) await pass(MINUTE)
  expect(tries()).toBe(5)
  expect((await store.paymentById(payment.id))?.settlement).toBe('received')
})

test('one input that is gone is enough, whatever is left of the others', async () => {
  const { store, payment, pass } = await openPaid(({ chain, wallet }) => {
    chain.refusals.push(...REFUSED)
    chain.outputs.add('02'.repeat(33))
    wallet.moreInputs.push('02'.repeat(33))
  })
  await pass(30 * SECOND)
  await pass(MINUTE)
  expect((await store.paymentById(payment.id))?.settlement).toBe('abandoned')
})

test('a refusal because it is mined already is no end either', async () => {
  const { till, store, chain, payment, pass } = await openPaid(({ chain }) => chain.refusals.push(...REFUSED))
  chain.mine(payment, chain.height)
  for (let minutes = 0; minutes < 8; minutes += 1) await pass(MINUTE)
  expect((await store.paymentById(payment.id))?.settlement).toBe('received')
  await till.passes.confirm()
  expect((await store.paymentById(payment.id))?.settlement).toBe('mined')
})

test('what was stored before the process ended is pushed by the next one', async () => {
  const { store, payment } = await openPaid(({ chain }) => {
    chain.down = 'killed here'
  })
  const next = openRail({ parts: { store } })
  await next.clock.advance(30 * SECOND)
  await next.till.passes.push()
  expect(next.chain.pushed).toHaveLength(1)
  expect(await store.claimPushes(look(next.clock.now(), 9))).toEqual([])
  expect((await store.paymentById(payment.id))?.settlement).toBe('received')
})

test('closing waits for the push under way and starts none', async () => {
  const { till, chain, store, payment, clock, tries } = await openPaid()
  await store.recordPush(payment.id, clock.now(), null, WORKER)
  await till.close()
  await till.passes.push()
  expect(tries()).toBe(1)
  expect(chain.pushed).toHaveLength(1)
})
