// What the log of a relay decides without a database: what goes into one entry, how it is written, and which front end has diverged.
import { describe, expect, test } from 'vitest'
import type { LogEvent } from '../../../src/relay/index.js'
import { changeBody, eventsBody, parseBody } from '../../../src/storage/postgres/relay-log/body.js'
import { judge } from '../../../src/storage/postgres/relay-log/front-ends.js'
import { createQueue } from '../../../src/storage/postgres/relay-log/queue.js'
import { aText } from '../../support/event-builders.js'

const anEvent = (content: string): LogEvent => ({ text: aText({ content }) })
const aChange = () => ({
  change: { type: 'used', id: '0'.repeat(64), until: 1, by: 'a' } as const,
  applied: () => undefined,
  failed: () => undefined,
})
const contentsOf = (content: { readonly type: string; readonly events?: readonly LogEvent[] } | undefined) =>
  content?.events?.map(({ text }) => text.event.content) ?? content?.type

describe('the body of an entry', () => {
  test('gives back the same events, byte for byte', () => {
    const events = ['a', 'line\nbreak', '\u0000 \u2028 "é" \u{10ffff}'].map(anEvent)
    expect(parseBody(eventsBody(events))).toEqual({ type: 'events', events })
  })

  test('gives back a change', () => {
    const { change } = aChange()
    expect(parseBody(changeBody(change))).toEqual({ type: 'change', change })
  })

  test('of a newer version, or with an event that is damaged, is not read', () => {
    const body = eventsBody([anEvent('a')])
    expect(parseBody(body.replace('"v":1', '"v":2'))).toBeUndefined()
    expect(parseBody(body.replace('"content":"a"', '"content":"b"'))).toBeUndefined()
    expect(parseBody('')).toBeUndefined()
  })
})

describe('the queue', () => {
  test('gives up to 1,024 events, and no change among them', () => {
    const queue = createQueue<LogEvent>()
    queue.addEvents(
      Array.from({ length: 1025 }, (_, at) => anEvent(`${at}`)),
      1,
    )
    queue.addChange(aChange(), 2)
    queue.addEvents([anEvent('after')], 3)
    expect(contentsOf(queue.take()?.content)).toHaveLength(1024)
    expect(contentsOf(queue.take()?.content)).toEqual(['1024'])
    expect(contentsOf(queue.take()?.content)).toBe('change')
    expect(contentsOf(queue.take()?.content)).toEqual(['after'])
    expect([queue.take(), queue.isEmpty]).toEqual([undefined, true])
  })

  test('gives at most 1 MiB, but every event', () => {
    const queue = createQueue<LogEvent>()
    queue.addEvents(
      Array.from({ length: 20 }, () => anEvent('x'.repeat(100_000))),
      1,
    )
    const bodies: string[] = []
    for (let batch = queue.take(); batch; batch = queue.take()) bodies.push(batch.body)
    expect(bodies.map((body) => body.split('\n').length - 1)).toEqual([10, 10])
    expect(bodies.every((body) => Buffer.byteLength(body) <= 1024 * 1024)).toBe(true)
  })

  test('drops what has waited too long, and keeps the rest', () => {
    const queue = createQueue<LogEvent>()
    queue.addEvents([anEvent('a'), anEvent('b')], 1)
    queue.addChange(aChange(), 2)
    queue.addEvents([anEvent('c')], 3)
    expect(queue.takeLate(2).map(contentsOf)).toEqual([['a', 'b'], 'change'])
    expect(queue.takeLate(2)).toEqual([])
    expect(queue.take()).toMatchObject({ deadline: 3 })
  })
})

test.each([
  ['same', [3], []],
  ['diverged', [1], [2]],
  ['differs', [1], [1]],
  ['differs', [2], [1]],
  ['differs', [1], [1, 1]],
  ['diverged', [], [2]],
] as const)('front ends are %s: %j agree with this one, %j with each other', (comparison, own, others) => {
  const digests = [...own.map((count) => ({ isOwn: true, count })), ...others.map((count) => ({ isOwn: false, count }))]
  expect(judge(digests)).toBe(comparison)
})
