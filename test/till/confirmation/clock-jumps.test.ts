// A clock that jumps: nothing is hidden by times of the future, and nothing ends by time before the jump is believed.
import { describe, expect, test } from 'vitest'
import { heedClockAtStart } from '../../../src/daemons/parts/pay/clock-at-start.js'
import { createSteadyClock } from '../../../src/lib/steady-clock.js'
import { isBelieved } from '../../../src/till/confirmation/clock-watch.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { aSlate } from '../../support/fake-wallet.js'
import { anEvent, DAY, grin, HOUR, MINUTE, NOON, SECOND, WORKER } from '../../support/till-builders.js'
import { openTill } from '../../support/till-parts.js'

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
      { startedAt: NOON, durationMs: 1, httpStatus: 500, error: 'HTTP 500', answerHead: '', by: WORKER },
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

describe('a clock that is ahead already at the start', () => {
  async function startedLongAfter() {
    const base = createFakeClock(NOON + 10 * HOUR)
    const clock = createSteadyClock(base)
    await heedClockAtStart({ newestTime: async () => NOON }, clock)
    return { ...openTill({ parts: { clock } }), clock: base }
  }

  test('expires no invoice while all blocks are hours older, with an alarm; then it does', async () => {
    const { till, clock, chain } = await startedLongAfter()
    const { invoice } = await till.createInvoice({ ...EXACT, expirySecs: 600 })
    const status = async () => {
      await till.passes.sweep()
      return (await till.findInvoice(invoice.id))?.status
    }
    chain.time = NOON
    chain.down = 'its newest block is 600 minutes old'
    await clock.advance(20 * MINUTE)
    expect(await status()).toBe('open')
    expect((await till.status()).alarms).toEqual([
      expect.stringMatching(/^clock: it is 620 minutes ahead of the newest block/),
    ])
    chain.down = undefined
    chain.time = clock.now() - MINUTE
    expect(await status()).toBe('expired')
    expect((await till.status()).alarms).toEqual([])
  })

  test('without any node a second reading ten minutes later counts', async () => {
    const { till, clock, chain } = await startedLongAfter()
    const { invoice } = await till.createInvoice({ ...EXACT, expirySecs: 60 })
    chain.down = 'no node'
    const status = async () => {
      await till.passes.sweep()
      return (await till.findInvoice(invoice.id))?.status
    }
    await clock.advance(9 * MINUTE)
    expect(await status()).toBe('open')
    await clock.advance(MINUTE)
    expect(await status()).toBe('expired')
  })
})

describe('a clock that is wrong already at the start', () => {
  /** A till whose database has seen `newest`, on a machine whose clock says `wall`. */
  async function startedAt(wall: number, newest: number) {
    const base = createFakeClock(wall)
    const clock = createSteadyClock(base)
    await heedClockAtStart({ newestTime: async () => newest }, clock)
    return { ...openTill({ parts: { clock } }), base, clock }
  }
  const alarmsOf = async ({ till }: Pick<ReturnType<typeof openTill>, 'till'>) => {
    await till.passes.confirm() // hears of the newest block
    await till.passes.sweep()
    return (await till.status()).alarms
  }
  const BEHIND =
    'clock: it was 1440 minutes behind the newest time in the database when the till started; until the chain or a second reading agrees, nothing ends by time'

  test('behind the database: an alarm, and time goes on from what the database knows', async () => {
    const opened = await startedAt(NOON - DAY, NOON)
    const { till, chain, clock, base } = opened
    chain.time = NOON
    expect(await alarmsOf(opened)).toEqual([BEHIND])
    expect(clock.now()).toBe(NOON)
    const { invoice } = await till.createInvoice({ ...EXACT, expirySecs: 3600 })
    expect(invoice.expiresAt).toBe(NOON + HOUR)
    await base.advance(20 * MINUTE)
    expect(await alarmsOf(opened)).toEqual([BEHIND])
    base.jump(DAY)
    expect(await alarmsOf(opened)).toEqual([])
    expect((await till.findInvoice(invoice.id))?.status).toBe('open')
    expect(clock.now()).toBe(NOON + 20 * MINUTE)
  })

  test('right, and the database was written by one that ran ahead: the chain says so at once', async () => {
    const opened = await startedAt(NOON, NOON + DAY)
    opened.chain.time = NOON - MINUTE
    expect(await alarmsOf(opened)).toEqual([])
    expect(opened.clock.now()).toBe(NOON)
  })

  test.each([0, 2 * MINUTE])('%s ms behind the database is right enough', async (ms) => {
    const opened = await startedAt(NOON - ms, NOON)
    expect(await alarmsOf(opened)).toEqual([])
    expect(opened.clock.now()).toBe(NOON - ms)
  })

  test('hours behind the newest block: an alarm until it is set right', async () => {
    const opened = await startedAt(NOON, NOON - HOUR)
    opened.chain.time = NOON + 3 * HOUR
    expect(await alarmsOf(opened)).toEqual([
      'clock: it is about 3 hours behind the newest block of the chain: set it right',
    ])
    await opened.base.advance(DAY / 24)
    opened.base.jump(3 * HOUR)
    opened.chain.time = opened.base.now()
    expect(await alarmsOf(opened)).toEqual([])
    expect(opened.clock.now()).toBe(NOON + 4 * HOUR)
  })

  test('a block that is a little ahead, and one of a private chain, say nothing', async () => {
    const opened = await startedAt(NOON, NOON)
    opened.chain.time = NOON + 2 * HOUR
    expect(await alarmsOf(opened)).toEqual([])
    const { till, chain } = openTill({ settings: { chain: 'usernet' } })
    chain.time = NOON + 30 * DAY
    expect(await alarmsOf({ till })).toEqual([])
  })
})

test.each([
  ['the chain is hours ahead of it, however long', { byMs: -DAY, forMs: DAY, tip: 3 * HOUR }, false],
  ['the chain agrees', { byMs: DAY, forMs: 0, tip: 0 }, true],
  ['the chain speaks for the time before', { byMs: DAY, forMs: DAY, tip: -DAY }, false],
  ['the chain speaks for neither, at first', { byMs: DAY, forMs: MINUTE, tip: -30 * DAY }, false],
  ['the chain speaks for neither, ten minutes on', { byMs: DAY, forMs: 10 * MINUTE, tip: -30 * DAY }, true],
  ['no chain, at first', { byMs: -DAY, forMs: MINUTE, tip: undefined }, false],
  ['no chain, ten minutes on', { byMs: -DAY, forMs: 10 * MINUTE, tip: undefined }, true],
])('a jump is believed or not: %s', (_, { tip, ...jump }, believed) => {
  expect(isBelieved({ ...jump, wall: NOON }, tip === undefined ? undefined : NOON + tip)).toBe(believed)
})
