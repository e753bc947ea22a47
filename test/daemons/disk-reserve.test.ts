// The part that keeps room for a full disk: when it writes the reserve, and when nothing new is to be stored.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDiskReserve, hasRoomFor, usualReserve } from '../../src/daemons/parts/disk-reserve.js'
import { reservedBytes } from '../../src/storage/index.js'
import { systemRandom } from '../../src/system/index.js'
import { canMount, fillDisk, mountSmallDisk } from '../faults/trouble.js'

const MEBIBYTE = 1024 * 1024

test('64 MiB are kept, on a small disk 1 %', () => {
  expect([2 ** 40, 2 ** 30, 2 ** 20].map(usualReserve)).toEqual([64 * MEBIBYTE, 10_737_418, 10_485])
})

const EMPTY = { free: 0, kept: 0, inside: 0, log: 0, wanted: 64 }

test.each([
  ['an empty disk', { free: 1000, kept: 64 }, true],
  ['the reserve, and as much again', { free: 64, kept: 64 }, true],
  ['less than the reserve beside it', { free: 63, kept: 64 }, false],
  ['the same before it is written', { free: 128 }, true],
  ['the reserve given back', { free: 64 }, false],
  ['the reserve given back, after events were deleted', { free: 40, inside: 1000 }, true],
  ['the same, and the disk filled up again', { free: 31, inside: 1000 }, false],
  ['the same, and the room is in the log', { free: 0, log: 32, inside: 1000 }, true],
  ['a long log alone', { free: 0, log: 1000 }, false],
])('%s', (_, room, expected) => {
  expect(hasRoomFor({ ...EMPTY, ...room })).toBe(expected)
})

/** A part over a small disk, whose time passes only between passes: five seconds each. */
async function watched() {
  const disk = mountSmallDisk(8)
  onTestFinished(disk.remove)
  const path = join(disk.path, 'a.db')
  writeFileSync(path, '')
  let time = 0
  let next = (): void => undefined
  let arrived = (): void => undefined
  const lines: string[] = []
  const say = (_: object, text: string) => void lines.push(text)
  const reserve = createDiskReserve({
    path,
    clock: {
      monotonic: () => time,
      sleep: (_, signal) =>
        new Promise((resolve) => {
          next = resolve
          signal?.addEventListener('abort', () => resolve(), { once: true })
          arrived()
        }),
    },
    random: systemRandom,
    log: { info: say, warn: say, error: say },
    sizeOf: () => MEBIBYTE,
  })
  const pass = (begin: () => void): Promise<void> =>
    new Promise((resolve) => {
      arrived = resolve
      begin()
    })
  onTestFinished(() => reserve.part.stop())
  await pass(() => void reserve.part.start(new AbortController().signal))
  return {
    ...{ reserve, lines, ballast: join(disk.path, 'ballast') },
    kept: () => reservedBytes(path),
    async passes(count: number) {
      for (let at = 0; at < count; at++) {
        time += 5000
        await pass(next)
      }
    },
    later() {
      time += 1000
    },
    giveBack: () => rmSync(`${path}.reserve`),
  }
}

test.runIf(canMount())(
  'it is written after ten seconds with room, given up on a full disk, and written again',
  async () => {
    const { reserve, lines, kept, passes, ballast, later, giveBack } = await watched()
    const well = { ok: true, detail: 'writable' }
    await passes(1)
    expect(kept()).toBe(0)
    await passes(1)
    expect(kept()).toBe(MEBIBYTE)
    expect([reserve.hasRoom(), reserve.checked(well)]).toEqual([true, well])

    fillDisk(ballast)
    expect(reserve.hasRoom()).toBe(true) // as of the last look
    later()
    expect(reserve.hasRoom()).toBe(false)
    expect(reserve.checked(well)).toEqual({
      ok: false,
      informative: true,
      detail: 'the disk is full: nothing new is stored until 1 MiB are freed',
    })
    const ill = { ok: false, detail: 'no' }
    expect(reserve.checked(ill)).toBe(ill)
    giveBack()
    await passes(3)
    expect([kept(), reserve.hasRoom()]).toEqual([0, false])

    rmSync(ballast)
    await passes(2)
    expect([kept(), reserve.hasRoom()]).toEqual([0, true])
    await passes(1)
    expect(kept()).toBe(MEBIBYTE)
    expect(lines).toEqual([
      'the disk is full: nothing new is stored',
      'the reserve was given back to a full disk',
      'the disk has room again',
    ])
  },
)
