import { expect, test } from 'vitest'
import { dropUnfinished } from '../../../src/relay/sockets/client-socket.js'

/** Names of those who are dropped. */
function droppedOf(bytes: Readonly<Record<string, number>>, most: number): readonly string[] {
  const dropped: string[] = []
  const hoarders = Object.entries(bytes).map(([name, held]) => ({
    unfinishedBytes: () => held,
    drop: () => dropped.push(name),
  }))
  dropUnfinished(hoarders, most)
  return dropped
}

test('no client is dropped while all together hold back no more than allowed', () => {
  expect(droppedOf({ a: 50, b: 50 }, 100)).toEqual([])
})

test('those who hold back the most go first, and only as many as needed', () => {
  expect(droppedOf({ a: 10, b: 200, c: 60, d: 90 }, 100)).toEqual(['b', 'd'])
})
