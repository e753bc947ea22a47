// Short form; `npm run test:faults` runs hundreds of rounds.

import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { databaseInUse } from '../../src/storage/errors.js'
import { openTillReader, openTillStore } from '../../src/storage/index.js'
import { runRounds, startHammer } from '../faults/store-rounds.js'
import { temporaryFolder, WALLET } from '../support/temporary-store.js'

test('a till killed at any moment keeps what it acknowledged, once, and nothing half', async () => {
  const { folder, remove } = temporaryFolder()
  onTestFinished(remove)
  const { acknowledged, damage } = await runRounds(join(folder, 'pay.db'), 10)
  expect(damage).toEqual([])
  expect(acknowledged).toBeGreaterThan(500)
})

test('a second process is refused with the pid of the first; after kill -9 of that one it opens the database', async () => {
  const { folder, remove } = temporaryFolder()
  onTestFinished(remove)
  const path = join(folder, 'pay.db')
  const owner = startHammer(path)
  onTestFinished(() => void owner.kill('SIGKILL'))
  await once(owner.stdout, 'data')

  const second = openTillStore({ path, ...WALLET })
  await expect(second).rejects.toSatisfy(databaseInUse.is)
  await expect(second).rejects.toThrow(`process ${owner.pid}`)
  const reader = await openTillReader({ path, chain: WALLET.chain })
  expect((await reader.balance()).abandoned.amount).toBeGreaterThanOrEqual(0n)
  await reader.close()

  owner.kill('SIGKILL')
  await once(owner, 'close')
  const next = await openTillStore({ path, ...WALLET })
  await next.check()
  await next.close()
})
