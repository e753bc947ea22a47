// What the doctor says of a full disk, with and without the reserve.
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { diskFindings } from '../../src/doctor/database-check.js'
import { writeReserve } from '../../src/storage/index.js'
import { temporaryFolder } from '../support/temporary-store.js'

const MEBIBYTE = 1024 * 1024

test('a full disk with the reserve says what is kept for commands, without it that nothing new is stored', async () => {
  const { folder, remove } = temporaryFolder()
  onTestFinished(remove)
  const path = join(folder, 'pay.db')
  const roomOf = async () => ({ free: 10 * MEBIBYTE, total: 1000 * MEBIBYTE })
  const find = async () => {
    const [finding] = await diskFindings({ path, roomOf, remedy: 'make room' })
    return [finding?.level, finding?.detail.split(', ')[1]]
  }
  expect(await find()).toEqual([
    'fail',
    'and the reserve is given back: nothing new is stored until there is room again',
  ])
  await writeReserve({ path, bytes: 2 * MEBIBYTE, filling: new Uint8Array(MEBIBYTE) })
  expect(await find()).toEqual(['fail', '2 MiB more are kept for commands that make room'])
})
