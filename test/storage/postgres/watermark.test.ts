// A database that went back is known to the next start before anybody is told.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ReplaceFile } from '../../../src/storage/documents.js'
import { openMarks } from '../../../src/storage/postgres/relay-log/marks.js'
import { openWatermark } from '../../../src/storage/postgres/watermark.js'
import { createFakeClock, settled } from '../../support/fake-clock.js'

/** A file whose writes end when the test says so. */
function aDisk() {
  const disk = {
    path: join(mkdtempSync(join(tmpdir(), 'grinpay-mark-')), 'watermark.json'),
    written: [] as string[],
    isFull: false,
    finish: (): void => undefined,
    replace: (async (_path, content) => {
      await new Promise<void>((resolve) => {
        disk.finish = resolve
      })
      if (disk.isFull) throw new Error('no room on the disk')
      disk.written.push(content)
    }) satisfies ReplaceFile,
  }
  return disk
}

const { now } = createFakeClock()

test('the loss is in the file before it is told, and the end of the process waits for the file', async () => {
  const disk = aDisk()
  const watermark = await openWatermark({ file: disk, now })
  const events: string[] = []
  void watermark.lost.then((missing) => events.push(`lost ${missing}, written ${disk.written.length}`))
  void watermark.goneBack(3)
  void watermark.close().then(() => events.push('closed'))
  await settled()
  expect(events).toEqual([])
  disk.finish()
  await expect.poll(() => events.toSorted()).toEqual(['closed', 'lost 3, written 1'])
  expect(JSON.parse(disk.written[0] ?? '')).toMatchObject({ wentBack: true })
})

test('a full disk does not keep the process from being told', async () => {
  const disk = aDisk()
  disk.isFull = true
  const watermark = await openWatermark({ file: disk, now })
  const told = watermark.goneBack(1)
  await settled()
  disk.finish()
  await told
  expect(await watermark.lost).toBe(1)
  expect(watermark.hasGoneBack).toBe(true)
})

test('nor a relay: its log has gone back all the same', async () => {
  const disk = aDisk()
  disk.isFull = true
  const marks = await openMarks(disk)
  marks.needs(5)
  const answer = marks
    .requireIn({ get: async () => [4n, null, null, null, 'log', 1n] } as never)
    .catch((error: { code?: string }) => error.code ?? String(error))
  await settled()
  disk.finish()
  expect(await answer).toBe('DATABASE_WENT_BACK')
})
