// The counter of keys, asked on a connection that is new.
import { expect, test } from 'vitest'
import { databaseWentBack } from '../../../src/storage/errors.js'
import { requireKeys } from '../../../src/storage/postgres/till/keys.js'

/** A process that was told of keys below `least`. */
function aProcess(least: number) {
  const process = {
    leastKeyIndex: least,
    lost: 0,
    async goneBack(missing: number) {
      process.lost = missing
    },
  }
  return process
}

test('a counter below what was handed out has gone back', async () => {
  const process = aProcess(101)
  await expect(requireKeys({ get: async () => [100n] }, process)).rejects.toSatisfy(databaseWentBack.is)
  expect(process.lost).toBe(1)
  await requireKeys({ get: async () => [101n] }, aProcess(101))
})

test('a key that another connection hands out before this one answers is not missed', async () => {
  const process = aProcess(100)
  const get = async () => {
    process.leastKeyIndex = 101
    return [100n]
  }
  await requireKeys({ get }, process)
  expect(process.lost).toBe(0)
})
