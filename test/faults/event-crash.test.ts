// The long form of the kill -9 rounds of test/e2e/event-crash.test.ts.
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-store.js'
import { runEventRounds } from './event-rounds.js'

test('300 kills lose no acknowledged event', async () => {
  const { folder, remove } = temporaryFolder()
  onTestFinished(remove)
  const { acknowledged, damage } = await runEventRounds(join(folder, 'relay.db'), 300)
  process.stdout.write(`${acknowledged} acknowledged events looked for\n`)
  expect(damage).toEqual([])
})
