// Short form; `npm run test:faults` runs hundreds of rounds.
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runRounds } from '../faults/store-rounds.js'
import { temporaryFolder } from '../support/temporary-store.js'

test('a till killed at any moment keeps what it acknowledged, once, and nothing half', async () => {
  const { folder, remove } = temporaryFolder()
  onTestFinished(remove)
  const { acknowledged, damage } = await runRounds(join(folder, 'pay.db'), 10)
  expect(damage).toEqual([])
  expect(acknowledged).toBeGreaterThan(500)
})
