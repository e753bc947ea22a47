// A clock that jumps: nothing is hidden by times of the future, and nothing ends by time before the jump is believed.
import { describe, expect, test } from 'vitest'
import { isBelieved } from '../../src/till/clock-watch.js'
import { createFakeClock } from '../support/fake-clock.js'
import { aSlate } from '../support/fake-wallet.js'
import { anEvent, DAY, grin, HOUR, MINUTE, NOON, SECOND } from '../support/till-builders.js'
import { openTill } from '../support/till-parts.js'

const EXACT = { amountNanogrin: grin(2) }

/** A till whose clock runs ten days ahead, with an invoice that is paid and looked up once. */
async function tillAhead() {
  const clock = createFakeClock(NOON + 10 * DAY)
  const opened = { ...openTill({ parts: { clock } }), clock }
  const { till, chain, store } = opened
  const { invoice } = await till.createInvoice(EXACT)
  const { payment } = await till.pasteSlatepack(invoice.token, aSlate())
  await till.passes.confirm()
  return {
    ...opened,
    payment,
    mine: () => chain.mine(payment, chain.height),
    again: () => store.paymentById(payment.id),
  }
}

describe('a clock that ran ahead and is set right', () => {
  test('payments are looked up in the next pass, not in ten days', async () => {
    const { till, clock, chain, mine, again } = await tillAhead()
    mine()
    clock.jump(-10 * DAY)
    chain.time = clock.now()
    await clock.advance(30 * SECOND)
    await till.passes.confirm()
    expect(await again()).toMatchObject({ settlement: 'mined', confirmations: 1 })
    chain.height += 20
    chain.time = clock.now()
    await clock.advance(30 * SECOND)
    await till.passes.confirm()
    expect(await again()).toMatchObject({ settlement: 'confirmed' })
    expect((await till.status()).alarms).toEqual([])
  })

  test('a webhook that was to be tried again goes out', async () => {
    const { till, shop, store, clock, chain } = openTill()
    const event = anEvent()
    await store.insertEvent(event)
    await store.recordAttempt(
      event.eventId,
      1,
      { startedAt: NOON, durationMs: 1, httpStatus: 500, error: 'HTTP 500', answerHead: '' },
      NOON + 10 * DAY,
    )
    chain.time = clock.now()
    await till.passes.deliver()
    expect(shop.sent).toHaveLength(1)
  })
})

describe('a clock that jumps ahead', () => {
  test('ends no invoice and abandons no payment until the chain agrees; then it does', async () => {
    const { till, clock, chain, log } = openTill()
    const { invoice: open } = await till.createInvoice({ ...EXACT, expirySecs: 3600 })
    const { invoice: paid } = await till.createInvoice(EXACT)
    await till.pasteSlatepack(paid.token, aSlate())
    const standing = async () => {
      await till.passes.sweep()
      await till.passes.confirm()
      return [(await till.findInvoice(open.id))?.status, (await till.findInvoice(paid.id))?.status]
    }
    clock.jump(10 * DAY)
    chain.time = NOON
    expect(await standing()).toEqual(['open', 'paid'])
    expect((await till.status()).alarms).toEqual([
      'clock: it jumped 14400 minutes ahead; until the chain or a second reading agrees, nothing ends by time',
    ])
    expect(log.filter(({ level }) => level === 'error')).toHaveLength(1)
    await clock.advance(20 * MINUTE)
    expect(await standing()).toEqual(['open', 'paid'])
    chain.time = clock.now() - MINUTE
    expect(await standing()).toEqual(['expired', 'expired'])
    expect((await till.status()).alarms).toEqual([])
  })

  test('time goes on meanwhile: a price still ends when its own time is over', async () => {
    const { till, clock, chain } = openTill()
    const { invoice } = await till.createInvoice({ ...EXACT, expirySecs: 600 })
    clock.jump(10 * DAY)
    chain.time = NOON
    await clock.advance(10 * MINUTE)
    await till.passes.sweep()
    expect((await till.findInvoice(invoice.id))?.status).toBe('expired')
  })

  test('without a node a second reading ten minutes later counts', async () => {
    const { till, clock, chain } = openTill()
    chain.down = 'no node'
    const { invoice } = await till.createInvoice({ ...EXACT, expirySecs: 3600 })
    const status = async () => {
      await till.passes.sweep()
      return (await till.findInvoice(invoice.id))?.status
    }
    clock.jump(HOUR)
    expect(await status()).toBe('open')
    await clock.advance(9 * MINUTE)
    expect(await status()).toBe('open')
    await clock.advance(MINUTE)
    expect(await status()).toBe('expired')
  })

  test('that is set back at once was nothing', async () => {
    const { till, clock, chain } = openTill()
    const { invoice } = await till.createInvoice({ ...EXACT, expirySecs: 3600 })
    chain.time = NOON
    clock.jump(HOUR)
    await till.passes.sweep()
    clock.jump(-HOUR)
    await till.passes.sweep()
    expect((await till.findInvoice(invoice.id))?.status).toBe('open')
    expect((await till.status()).alarms).toEqual([])
  })
})

test.each([
  ['the chain agrees', { byMs: DAY, forMs: 0, tip: 0 }, true],
  ['the chain speaks for the time before', { byMs: DAY, forMs: DAY, tip: -DAY }, false],
  ['the chain speaks for neither, at first', { byMs: DAY, forMs: MINUTE, tip: -30 * DAY }, false],
  ['the chain speaks for neither, ten minutes on', { byMs: DAY, forMs: 10 * MINUTE, tip: -30 * DAY }, true],
  ['no chain, at first', { byMs: -DAY, forMs: MINUTE, tip: undefined }, false],
  ['no chain, ten minutes on', { byMs: -DAY, forMs: 10 * MINUTE, tip: undefined }, true],
])('a jump is believed or not: %s', (_, { tip, ...jump }, believed) => {
  expect(isBelieved({ ...jump, wall: NOON }, tip === undefined ? undefined : NOON + tip)).toBe(believed)
})
