import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFrameWriter, eventPrefix } from '../../../src/relay/output/frame-writer.js'
import { createOutbox, type Outbox, type OutboxParts } from '../../../src/relay/output/outbox.js'
import type { EventPage } from '../../../src/relay/ports.js'
import { settled } from '../../support/fake-clock.js'
import { textsOf } from '../../support/frame-reader.js'

const MIB = 1_048_576

/** A connection that takes so many bytes before the system says stop; what it holds back is read where it lies, as a socket does. */
function aConnection({ room = Number.POSITIVE_INFINITY, maxPendingBytes = 32 * MIB } = {}) {
  const log = { writes: 0, dropped: [] as string[] }
  let isFree = room
  let held: Buffer[] = []
  const taken: Buffer[] = []
  const parts: Omit<OutboxParts, 'frameWriter'> = {
    maxPendingBytes,
    write(frames) {
      log.writes += 1
      if (held.length > 0 || frames.length > isFree) held.push(frames)
      else {
        isFree -= frames.length
        taken.push(Buffer.from(frames))
      }
      return held.length === 0
    },
    pendingBytes: () => held.reduce((sum, { length }) => sum + length, 0),
    drop: (reason) => log.dropped.push(reason),
  }
  return {
    parts,
    log,
    /** The reader reads on; then it takes `more` bytes. */
    read(outbox: Outbox, more = Number.POSITIVE_INFINITY) {
      for (const frames of held) taken.push(Buffer.from(frames))
      held = []
      isFree = more
      outbox.drained()
    },
    texts: () => textsOf(...taken),
  }
}

/** A frameWriter whose turns end when the test says so. */
function aPress() {
  const ends: (() => void)[] = []
  const frameWriter = createFrameWriter((flush) => ends.push(flush))
  return {
    frameWriter,
    endTurn: () => {
      for (const end of ends.splice(0)) end()
    },
  }
}

const pageOf = (texts: readonly string[]): EventPage => {
  let end = -1
  const ends = texts.map((text) => {
    end += Buffer.byteLength(text) + 1
    return end
  })
  return { bytes: Buffer.from(texts.map((text) => `${text}\n`).join('')), ends }
}

const eventOf = (content: string): string => JSON.stringify({ content })

test('what one turn says goes out in one write, in its order', () => {
  const { frameWriter, endTurn } = aPress()
  const connection = aConnection()
  const outbox = createOutbox({ ...connection.parts, frameWriter })
  const prefix = eventPrefix('ß "1"')
  outbox.json(['OK', 'x', true, ''])
  outbox.event(prefix, Buffer.from(eventOf('live 🎈')))
  outbox.events(prefix, pageOf([eventOf('first'), eventOf('é'), eventOf('x'.repeat(70_000))]))
  outbox.json(['EOSE', 'ß "1"'])
  expect(connection.log.writes).toBe(0)
  endTurn()
  expect(connection.log.writes).toBe(1)
  expect(connection.texts().map((text) => JSON.parse(text))).toEqual([
    ['OK', 'x', true, ''],
    ['EVENT', 'ß "1"', { content: 'live 🎈' }],
    ['EVENT', 'ß "1"', { content: 'first' }],
    ['EVENT', 'ß "1"', { content: 'é' }],
    ['EVENT', 'ß "1"', { content: 'x'.repeat(70_000) }],
    ['EOSE', 'ß "1"'],
  ])
  expect(outbox.pending()).toBe(0)
})

const lengths = fc.oneof(fc.integer({ min: 0, max: 200 }), fc.constantFrom(65_515, 65_516, 100_000, 300_000))
const messages = fc.oneof(
  fc.record({ as: fc.constant('json' as const), length: lengths }),
  fc.record({ as: fc.constant('event' as const), length: lengths }),
  fc.record({ as: fc.constant('events' as const), lengths: fc.array(lengths, { maxLength: 4 }) }),
  fc.record({ as: fc.constant('end of turn' as const) }),
  fc.record({ as: fc.constant('read' as const), room: fc.integer({ min: 0, max: 600_000 }) }),
)

test('whatever the lengths and however slowly they read, connections of one frameWriter get their own messages, all and in order', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(2), messages), { maxLength: 30 }), (steps) => {
      const { frameWriter, endTurn } = aPress()
      const readers = [0, 1, 2].map((name) => {
        const connection = aConnection({ room: name * 100_000 })
        return { connection, outbox: createOutbox({ ...connection.parts, frameWriter }), said: [] as string[] }
      })
      let number = 0
      for (const [name, step] of steps) {
        const reader = readers[name]
        if (!reader) throw new Error('no such reader')
        const { outbox, connection, said } = reader
        const content = (length: number) => JSON.stringify(`${number++} ${'x'.repeat(length)}`)
        if (step.as === 'json') {
          const text = content(step.length)
          outbox.json([JSON.parse(text)])
          said.push(`[${text}]`)
        } else if (step.as === 'event') {
          const text = content(step.length)
          outbox.event('["EVENT","s",', Buffer.from(text))
          said.push(`["EVENT","s",${text}]`)
        } else if (step.as === 'events') {
          const texts = step.lengths.map(content)
          outbox.events('["EVENT","p",', pageOf(texts))
          said.push(...texts.map((text) => `["EVENT","p",${text}]`))
        } else if (step.as === 'read') connection.read(outbox, step.room)
        else endTurn()
      }
      endTurn()
      for (const { connection, outbox, said } of readers) {
        connection.read(outbox)
        expect(connection.texts()).toEqual(said)
        expect([outbox.pending(), connection.log.dropped]).toEqual([0, []])
      }
    }),
    { numRuns: 150 },
  )
})

test('a reader that leaves too much unread is dropped once, and the others go on', () => {
  const { frameWriter, endTurn } = aPress()
  const [slow, quick] = [aConnection({ room: 0, maxPendingBytes: 100_000 }), aConnection({ maxPendingBytes: 100_000 })]
  const boxes = [slow, quick].map(({ parts }) => createOutbox({ ...parts, frameWriter }))
  const text = Buffer.from(eventOf('x'.repeat(9000)))
  for (let turn = 0; turn < 20; turn += 1) {
    for (const box of boxes) box.event('["EVENT","s",', text)
    endTurn()
  }
  expect(slow.log.dropped).toEqual([expect.stringMatching(/^\d+ bytes unsent$/)])
  expect(slow.texts()).toEqual([])
  expect(quick.log.dropped).toEqual([])
  expect(quick.texts()).toHaveLength(20)
})

test('a turn with more to say than may be pending is no fault of a reader that keeps up', () => {
  const { frameWriter, endTurn } = aPress()
  const connection = aConnection({ maxPendingBytes: 2 * MIB })
  const outbox = createOutbox({ ...connection.parts, frameWriter })
  const text = Buffer.from(eventOf('x'.repeat(100_000)))
  for (let count = 0; count < 50; count += 1) outbox.event('["EVENT","s",', text)
  endTurn()
  expect(connection.log.dropped).toEqual([])
  expect(connection.texts()).toHaveLength(50)
})

test('nothing is written to a connection that is gone', () => {
  const { frameWriter, endTurn } = aPress()
  const connection = aConnection()
  const outbox = createOutbox({ ...connection.parts, frameWriter })
  outbox.json(['NOTICE', 'before'])
  outbox.close()
  outbox.json(['NOTICE', 'after'])
  outbox.drained()
  endTurn()
  expect(connection.log.writes).toBe(0)
})

test('who asks to be called back is called once, when everything was written', () => {
  const { frameWriter, endTurn } = aPress()
  const connection = aConnection({ room: 0 })
  const outbox = createOutbox({ ...connection.parts, frameWriter })
  let calls = 0
  outbox.json(['NOTICE', ''])
  endTurn()
  outbox.whenWritten(() => {
    calls += 1
  })
  outbox.json(['NOTICE', ''])
  endTurn()
  expect(calls).toBe(0)
  connection.read(outbox)
  endTurn()
  connection.read(outbox)
  expect(calls).toBe(1)
})

test('without another word a turn ends when the running callback does', async () => {
  const connection = aConnection()
  const outbox = createOutbox({ ...connection.parts, frameWriter: createFrameWriter() })
  outbox.json(['NOTICE', ''])
  expect(connection.log.writes).toBe(0)
  await settled()
  expect(connection.log.writes).toBe(1)
})
