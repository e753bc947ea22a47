// What every log of a relay has to do, for each adapter alike.
import { describe, expect, test } from 'vitest'
import type { EventLog, LogEvent, LogFollower } from '../../../../src/relay/index.js'
import { aText } from '../../../support/event-builders.js'

/** An empty log of one process that nothing follows yet. */
export type OpenLog = () => Promise<EventLog>

const LIMIT = { timeout: 10_000, interval: 5 }

const anEvent = (content: string, kind = 1): LogEvent => ({ text: aText({ content, kind }) })

/** Takes every entry, and writes down what came. */
function recorder() {
  const events: LogEvent[] = []
  const order: string[] = []
  const times: number[] = []
  const follower: LogFollower = {
    applyEvents(entry) {
      expect(entry.isOwn).toBe(true)
      times.push(entry.at)
      events.push(...entry.events)
      order.push(...entry.events.map(({ text }) => text.event.content))
      return undefined
    },
    applyChange: async ({ at, change }) => {
      times.push(at)
      order.push(change.type)
    },
    failed: (lost, cause) => {
      throw new Error(`${lost.length} events failed: ${cause}`)
    },
  }
  return { follower, events, order, times }
}

export function describeEventLog(name: string, open: OpenLog): void {
  describe(`the log of events: ${name}`, () => {
    async function followed() {
      const log = await open()
      const record = recorder()
      log.follow(0, record.follower)
      return { log, ...record }
    }

    test('gives events back in the order of append, as the objects that were given', async () => {
      const { log, events } = await followed()
      const given = Array.from({ length: 3000 }, (_, at) => anEvent(`note ${at}`))
      for (let at = 0; at < given.length; at += 7) log.append(given.slice(at, at + 7))
      await expect.poll(() => events.length, LIMIT).toBe(given.length)
      expect(events.every((event, at) => event === given[at])).toBe(true)
    })

    test('carries a batch that is too large for one entry', async () => {
      const { log, order } = await followed()
      const given = Array.from({ length: 40 }, (_, at) => anEvent(`${at} ${'é'.repeat(30_000)}`))
      log.append(given)
      await expect.poll(() => order.length, LIMIT).toBe(40)
      expect(order).toEqual(given.map(({ text }) => text.event.content))
    })

    test('carries ephemeral events', async () => {
      const { log, order } = await followed()
      log.append([anEvent('now', 20_000), anEvent('kept')])
      await expect.poll(() => order, LIMIT).toEqual(['now', 'kept'])
    })

    test('applies a change after the events before it, and before its promise resolves', async () => {
      const { log, order } = await followed()
      log.append([anEvent('before')])
      const change = log.appendChange({ type: 'settings', settings: { giftWrapRecipientDelete: true } })
      log.append([anEvent('after')])
      await change
      expect(order.slice(0, 2)).toEqual(['before', 'settings'])
      await expect.poll(() => order, LIMIT).toEqual(['before', 'settings', 'after'])
    })

    test('tells the time of each entry', async () => {
      const { log, times } = await followed()
      const before = Date.now()
      log.append([anEvent('one')])
      await log.appendChange({ type: 'used', id: '0'.repeat(64), until: 1, by: 'a' })
      expect(times).toHaveLength(2)
      expect(times.every((at) => at >= before && at <= Date.now())).toBe(true)
    })
  })
}
