// When the log is merged, and that nothing of it goes on once the store is closed.
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createCheckpointer } from '../../../../src/storage/events/background.js'

const LOTS = 64 * 2 ** 20

/** A log that is always ripe. What was asked of whom, in order; the disk answers on command. */
function aLog() {
  const asked: string[] = []
  let disk = (): void => {}
  const db = { path: 'relay.db', all: (sql: string) => [asked.push(sql)] as never }
  const merger = {
    ask: async () => {
      asked.push('thread')
      return { kind: 'merged', ripe: true } as const
    },
    close: async () => void asked.push('thread closed'),
  }
  const file = {
    synced: () => {
      asked.push('disk')
      return new Promise<void>((resolve) => {
        disk = resolve
      })
    },
    close: async () => {},
  }
  const keeper = createCheckpointer(db as never, merger, file)
  return { keeper, asked, answerOfTheDisk: () => disk() }
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await setImmediate()
}

test('the event loop merges only what came since the disk had the rest', async () => {
  const { keeper, asked, answerOfTheDisk } = aLog()
  keeper.wrote(LOTS)
  await settled()
  expect(asked).toEqual(['thread', 'disk'])
  answerOfTheDisk()
  await settled()
  expect(asked).toEqual(['thread', 'disk', 'thread', 'PRAGMA wal_checkpoint(PASSIVE)'])
})

test('closing waits for the disk, and asks nothing afterwards', async () => {
  const { keeper, asked, answerOfTheDisk } = aLog()
  keeper.wrote(LOTS)
  await settled()
  const closing = keeper.close()
  await settled()
  expect(asked).toEqual(['thread', 'disk'])
  answerOfTheDisk()
  await closing
  keeper.wrote(LOTS)
  await settled()
  expect(asked).toEqual(['thread', 'disk', 'thread closed'])
})
