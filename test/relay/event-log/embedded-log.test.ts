// The log of a relay that runs alone: entries within the call, and failures of single events kept apart.
import { expect, test } from 'vitest'
import { eventText } from '../../../src/nostr/event/index.js'
import type { LogEvent } from '../../../src/relay/index.js'
import { createEmbeddedLog } from '../../../src/relay/ingest/write-batch.js'
import { anEvent } from '../../support/relay-parts.js'

function eventOf(content: string, kind = 1): LogEvent {
  const text = eventText(anEvent('anna', { content, kind }))
  if (!text) throw new Error('not an event')
  return { text }
}

/** A log whose store cannot write entries with these texts, and what its follower got. */
function followed(...poison: readonly string[]) {
  const applied: string[] = []
  const failed: string[] = []
  let attempts = 0
  const log = createEmbeddedLog<LogEvent>({ now: () => 7 })
  const contents = (events: readonly LogEvent[]) => events.map(({ text }) => text.event.content)
  log.follow(0, {
    applyEvents({ events, pos, at, isOwn }) {
      expect({ pos, at, isOwn }).toEqual({ pos: 0, at: 7, isOwn: true })
      attempts++
      if (contents(events).some((content) => poison.includes(content))) return { cause: new Error('disk') }
      applied.push(...contents(events))
      return undefined
    },
    applyChange: async ({ change }) => void applied.push(change.type),
    failed: (events) => void failed.push(...contents(events)),
  })
  return { log, applied, failed, attempts: () => attempts }
}

test('a batch comes back within the call, as the objects that were given', () => {
  const { log, applied, failed, attempts } = followed()
  log.append(['1', '2'].map((content) => eventOf(content)))
  expect([applied, failed, attempts()]).toEqual([['1', '2'], [], 1])
})

test('an event that cannot be written does not affect the others', () => {
  const { log, applied, failed } = followed('2')
  log.append(['1', '2', '3'].map((content) => eventOf(content)))
  expect([applied, failed]).toEqual([['1', '3'], ['2']])
})

test('after two failures in a row the rest is not tried, but ephemeral events pass', () => {
  const { log, applied, failed, attempts } = followed('1', '2')
  log.append([eventOf('1'), eventOf('2'), eventOf('3'), eventOf('now', 20_000)])
  expect([applied, failed, attempts()]).toEqual([['now'], ['1', '2', '3'], 4])
})

test('a change comes back too', async () => {
  const { log, applied } = followed()
  await log.appendChange({ type: 'settings', settings: { giftWrapRecipientDelete: true } })
  expect(applied).toEqual(['settings'])
})
