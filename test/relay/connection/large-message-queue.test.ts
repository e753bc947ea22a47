// What takes long to read, with a clock that moves when something is read.
import { expect, test } from 'vitest'
import {
  createLargeMessageQueue,
  isLarge,
  type LargeMessageReader,
} from '../../../src/relay/connection/inbound-flow.js'

test('questions stand in line from 1 kB on, events from 16 kB on', () => {
  const long = (begin: string, bytes: number) => isLarge(Buffer.from(begin.padEnd(bytes, ' ')))
  expect([long('["REQ","a"', 1023), long('["REQ","a"', 1024), long('["COUNT","a"', 1024)]).toEqual([false, true, true])
  expect([long('["EVENT",{', 16_383), long('["EVENT",{', 16_384)]).toEqual([false, true])
  expect([long(' ["EVENT",{', 1024), isLarge(Buffer.alloc(0)), isLarge(Buffer.from('['))]).toEqual([true, false, false])
})

test('one message of a connection passes those of hundreds that send without end', () => {
  let now = 0
  const turns: (() => void)[] = []
  const line = createLargeMessageQueue({ clock: { monotonic: () => now }, nextTurn: (run) => turns.push(run) })
  const read: string[] = []
  function aReader(name: string, largeBytes: number, isEndless: boolean): LargeMessageReader {
    const reader = {
      served: 0,
      largeBytes,
      readLarge() {
        now += largeBytes / 65_536
        read.push(name)
        if (isEndless) line.wait(reader)
      },
    }
    return reader
  }
  const nextTurn = () => {
    for (const run of turns.splice(0)) run()
    return read.splice(0)
  }
  for (let number = 0; number < 300; number += 1) line.wait(aReader('flood', 65_536, true))
  for (let turn = 0; turn < 500; turn += 1) expect(nextTurn().length).toBeLessThanOrEqual(2)
  line.wait(aReader('good', 2048, false))
  let waited = 0
  while (!nextTurn().includes('good')) waited += 1
  expect(waited).toBeLessThan(10) // in the order of coming it waited 150 turns
})
