// The way of stored events over a real socket: scheduler, outbox and the system's own back-pressure together.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createFrameWriter } from '../../../src/relay/output/frame-writer.js'
import { createOutbox, type Outbox } from '../../../src/relay/output/outbox.js'
import type { EventPage } from '../../../src/relay/ports.js'
import { createQueryScheduler, readTask } from '../../../src/relay/queries/query-scheduler.js'
import { textsOf } from '../../support/frame-reader.js'

const MIB = 1_048_576
const PAGES = 300
const ROW = 20_000

/** Both ends of a connection on this machine. */
async function aPair(): Promise<{ readonly here: Socket; readonly there: Socket }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const there = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [here] = (await once(server, 'connection')) as [Socket]
  server.close()
  onTestFinished(() => {
    here.destroy()
    there.destroy()
  })
  return { here, there }
}

const pageOf = (number: number): EventPage => {
  const rows = [0, 1, 2, 3, 4].map((row) => `${number} ${row} ${'x'.repeat(ROW)}`)
  let end = -1
  const ends = rows.map((row) => {
    end += row.length + 1
    return end
  })
  return { bytes: Buffer.from(`${rows.join('\n')}\n`), ends }
}

test('a reader slower than the store gets everything in order, and little waits for it meanwhile', async () => {
  const { here, there } = await aPair()
  const outbox: Outbox = createOutbox({
    frameWriter: createFrameWriter(),
    write: (frames) => here.write(frames),
    pendingBytes: () => here.writableLength,
    maxPendingBytes: 32 * MIB,
    drop: (reason) => here.destroy(new Error(reason)),
  })
  here.on('drain', () => outbox.drained())
  let [next, mostPending, isDone] = [0, 0, false]
  createQueryScheduler({ clock: { monotonic: () => performance.now() } }).start(
    outbox,
    'q',
    readTask(
      { next: () => (next < PAGES ? pageOf(next++) : undefined) },
      {
        page(page) {
          outbox.events('["EVENT","q",', page)
          mostPending = Math.max(mostPending, outbox.pending())
        },
        done: () => {
          isDone = true
          outbox.json(['EOSE', 'q'])
          outbox.whenWritten(() => here.end())
        },
        failed: (error) => here.destroy(error as Error),
      },
    ),
  )
  expect(isDone).toBe(false)
  const received: Buffer[] = []
  for await (const chunk of there) received.push(chunk as Buffer)
  const texts = textsOf(...received)
  expect(texts).toHaveLength(PAGES * 5 + 1)
  const places = texts.slice(0, -1).map((text) => /^\["EVENT","q",(\d+) (\d) x{20000}\]$/.exec(text))
  expect(places.map((place) => Number(place?.[1]) * 5 + Number(place?.[2]))).toEqual(places.map((_, index) => index))
  expect(texts.at(-1)).toBe('["EOSE","q"]')
  expect(mostPending).toBeLessThan(2 * MIB)
})
