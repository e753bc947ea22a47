import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-store.js'
import { runRounds } from './store-rounds.js'

const ROUNDS = Number(process.env.GRINPAY_CRASH_ROUNDS ?? 200)

test(`${ROUNDS} kills in a row: nothing acknowledged is lost, nothing doubled, no key twice`, async () => {
  const { folder, remove } = temporaryFolder()
  onTestFinished(remove)
  const { acknowledged, damage } = await runRounds(join(folder, 'pay.db'), ROUNDS)
  console.log({ rounds: ROUNDS, acknowledged })
  expect(damage).toEqual([])
  expect(acknowledged).toBeGreaterThan(ROUNDS * 50)
})
