import { expect, test } from 'vitest'
import { createBackfill } from '../../../src/nostr/relays/backfill.js'
import type { WrapOutcome } from '../../../src/nostr/relays/wrap-intake.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { anyPubkey } from '../../support/relay-pool.js'
import { fakeClient } from './fake-client.js'

function aFill(deliver: (value: unknown) => WrapOutcome = () => 'dropped') {
  const clock = createFakeClock()
  const { client, ...relay } = fakeClient()
  const faults: string[] = []
  const left: string[] = []
  const fill = createBackfill({
    client,
    clock,
    deliver,
    isWatched: () => true,
    fault: (fault) => faults.push(fault),
    gaveUp: (what) => left.push(what),
  })
  let serial = 0
  return {
    ...relay,
    clock,
    fill,
    faults,
    left,
    keys: () => relay.last()?.filters[0]?.['#p'] as string[],
    /** Answers the last question with so many events of that second. */
    page(count: number, created_at: number) {
      const question = relay.last()
      for (let n = 0; n < count; n++)
        question?.listener.event({ id: (serial++).toString(16).padStart(64, '0'), created_at })
      question?.listener.eose()
    },
  }
}

const NOW = Math.floor(createFakeClock().now() / 1000)

test('three days back, page by page from the oldest second on, until a page brings nothing new', () => {
  const { fill, page, last, asked } = aFill()
  fill.add([anyPubkey(1)])
  expect(last()?.filters).toEqual([{ kinds: [1059], '#p': [anyPubkey(1)], since: NOW - 259_200, limit: 500 }])
  page(500, NOW - 10)
  expect(last()?.filters[0]).toMatchObject({ until: NOW - 10 })
  page(3, NOW - 20)
  expect(last()?.filters[0]).toMatchObject({ until: NOW - 20 })
  page(0, 0)
  expect([asked.length, fill.idle()]).toEqual([3, true])
})

test('a second that fills a page is passed over', () => {
  const { fill, last, clock: _, asked } = aFill()
  fill.add([anyPubkey(1)])
  const full = Array.from({ length: 500 }, (_, n) => ({ id: n.toString(16).padStart(64, '0'), created_at: NOW - 5 }))
  for (let round = 0; round < 2; round++) {
    const question = last()
    for (const event of full) question?.listener.event(event)
    question?.listener.eose()
  }
  expect(asked.map(({ filters }) => filters[0]?.until)).toEqual([undefined, NOW - 5, NOW - 6])
})

test('many keys are asked for 300 at a time, one question after the other', () => {
  const { fill, page, asked, keys, open } = aFill()
  fill.add(Array.from({ length: 700 }, (_, n) => anyPubkey(n)))
  const sizes = [keys().length]
  page(0, 0)
  sizes.push(keys().length)
  page(0, 0)
  sizes.push(keys().length)
  page(0, 0)
  expect([sizes, asked.length, open.size, fill.idle()]).toEqual([[300, 300, 100], 3, 0, true])
})

test('junk to one key does not hide the mail of the others: the job is halved', () => {
  const { fill, page, keys } = aFill()
  fill.add(Array.from({ length: 8 }, (_, n) => anyPubkey(n)))
  for (let n = 0; n < 10; n++) page(500, NOW - n)
  expect(keys().length).toBe(4)
  page(0, 0)
  expect(keys()).toEqual([4, 5, 6, 7].map(anyPubkey))
})

test('pages without end are left after a thousand', () => {
  const { fill, page, left, asked } = aFill()
  fill.add([anyPubkey(1)])
  for (let n = 0; !fill.idle() && n < 5000; n++) page(1, NOW - n)
  expect([asked.length, left, fill.idle()]).toEqual([1000, ['stored mail of one key has no end'], true])
})

test('a page that is longer than asked for is cut off and blamed', () => {
  const { fill, page, faults, open, last } = aFill()
  fill.add([anyPubkey(1)])
  const first = last()
  page(601, NOW)
  expect(faults).toEqual(['unasked'])
  expect([fill.idle(), open.has(first?.sub ?? '')]).toEqual([true, false])
})

test('events from outside the time that was asked for are blamed', () => {
  const { fill, page, faults } = aFill()
  fill.add([anyPubkey(1)])
  page(1, NOW - 300_000)
  expect([faults, fill.idle()]).toEqual([['unasked'], true])
})

test('silence for half a minute is given up; progress is no silence', async () => {
  const { fill, last, clock, faults } = aFill()
  fill.add([anyPubkey(1)])
  await clock.advance(20_000)
  last()?.listener.event({ id: 'f'.repeat(64), created_at: NOW })
  await clock.advance(20_000)
  fill.tick()
  expect(faults).toEqual([])
  await clock.advance(11_000)
  fill.tick()
  expect([faults, fill.idle()]).toEqual([['silent'], true])
})

test('a full inbox is no silence either, and nothing is counted twice', async () => {
  let room = false
  const { fill, last, clock, faults } = aFill(() => (room ? 'dropped' : 'no-room'))
  fill.add([anyPubkey(1)])
  const event = { id: 'f'.repeat(64), created_at: NOW }
  for (let n = 0; n < 1000; n++) {
    expect(last()?.listener.event(event)).toBe(false)
    await clock.advance(100)
    fill.tick()
  }
  room = true
  expect(last()?.listener.event(event)).toBe(true)
  expect(faults).toEqual([])
})

test('a refused question is asked again later, five times', async () => {
  const { fill, last, clock, asked, left } = aFill()
  fill.add([anyPubkey(1)])
  for (let n = 0; n < 8 && !fill.idle(); n++) {
    last()?.listener.closed('rate-limited: slow down')
    await clock.advance(300_000)
    fill.tick()
  }
  expect([asked.length, left]).toEqual([6, ['stored mail was refused: rate-limited: slow down']])
})
