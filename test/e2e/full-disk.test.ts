// A disk that something else filled, under a relay: what is new is refused, and everything that makes room works, while the relay runs or not.
import { spawnSync } from 'node:child_process'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startRelayLife } from '../faults/relay-life.js'
import { type Line, openLine } from '../faults/relay-line.js'
import { newSociety } from '../faults/relay-people.js'
import { canMount, fillDisk, mountSmallDisk } from '../faults/trouble.js'
import { cleanEnvironment, ROOT } from '../support/till-process.js'

const ENTRY = join(ROOT, 'bin/run.js')
const society = newSociety()
const [WRITER] = society.writers
const DISK_MIB = 64
const NO_ROOM = { accepted: false, text: 'error: the disk of this relay is full, only deletions are stored' }
const STORED = { accepted: true, text: '' }
const now = () => Math.floor(Date.now() / 1000)
let made = 0

const note = (age = 0, length = 20_000) =>
  WRITER!.sign({ kind: 1, created_at: now() - age - 1000, tags: [], content: `${made++}`.padEnd(length, 'x') })
const deletionOf = (id: string) => WRITER!.sign({ kind: 5, created_at: now(), tags: [['e', id]], content: '' })

const TWO_DAYS = 172_800
const OLD = Array.from({ length: 200 }, () => note(TWO_DAYS))

async function startedOn(folder: string) {
  const relay = await startRelayLife({ folder, durability: 'commit', society })
  onTestFinished(() => relay.kill())
  expect(await relay.up, relay.output()).toBe(true)
  const line = await openLine(relay.url, () => undefined)
  return { relay, line, publish: (event: ReturnType<typeof note>) => line.publish(event) }
}

/** A relay with old events and a reserve, on a disk where nothing is left. */
async function fullRelay() {
  const folder = mountSmallDisk(DISK_MIB)
  onTestFinished(folder.remove)
  const started = await startedOn(folder.path)
  for (const event of OLD) expect(await started.publish(event)).toEqual(STORED)
  const reserve = join(folder.path, 'relay.db.reserve')
  const kept = () => statSync(reserve, { throwIfNoEntry: false })?.blocks ?? 0
  await expect.poll(kept, { timeout: 40_000 }).toBeGreaterThan((DISK_MIB * 1024 * 1024 * 0.009) / 512)
  const ballast = join(folder.path, 'ballast')
  fillDisk(ballast)
  return { ...started, folder: folder.path, ballast, kept }
}

function command(folder: string, ...args: readonly string[]) {
  const env = cleanEnvironment({ HOME: folder, RELAY_RETENTION_PERSIST_DAYS: '1' })
  const { status, stdout, stderr } = spawnSync(process.execPath, [ENTRY, ...args, '--db', folder, '--json'], { env })
  return { status, output: `${stdout}${stderr}` }
}

const removed = (count: number) => ({ status: 0, output: expect.stringContaining(`"removed": ${count}`) })
const oldEvents = async (line: Line) => (await line.count({ kinds: [1], until: now() - TWO_DAYS })) ?? -1

const isPossible = canMount()

test.runIf(isPossible)('a running relay refuses events, takes deletions, and is pruned; then it goes on', async () => {
  const { relay, line, publish, folder, ballast, kept } = await fullRelay()
  await expect.poll(() => publish(note()), { timeout: 10_000 }).toEqual(NO_ROOM)
  expect(await publish(deletionOf(OLD[0]!.id))).toEqual(STORED)
  expect(command(folder, 'relay', 'prune', '--yes')).toEqual(removed(OLD.length - 1))
  expect(kept()).toBe(0)
  expect(await oldEvents(line)).toBe(0)
  // The room is inside of the file now.
  await expect.poll(() => publish(note()), { timeout: 10_000 }).toEqual(STORED)
  expect(await relay.stop()).toBe(0)
  rmSync(ballast)
})

test.runIf(isPossible)('events of a stopped relay are deleted, and it starts again', async () => {
  const { relay, folder, kept } = await fullRelay()
  expect(await relay.stop()).toBe(0)
  fillDisk(join(folder, 'more'))
  const args = ['relay', 'delete', '--kind', '1', '--before', '1d', '--reason', 'old', '--yes']
  expect(command(folder, ...args)).toEqual(removed(OLD.length))
  expect(kept()).toBe(0)
  const again = await startedOn(folder)
  expect(await oldEvents(again.line)).toBe(0)
  expect(await again.relay.stop()).toBe(0)
})

test.runIf(isPossible)(
  'a killed relay starts on a full disk, and has its reserve again when there is room',
  async () => {
    const { relay, folder, ballast, kept } = await fullRelay()
    await relay.kill()
    fillDisk(join(folder, 'more'))
    const { line, publish } = await startedOn(folder)
    expect(kept()).toBe(0)
    expect(await oldEvents(line)).toBe(OLD.length)
    expect(await publish(note())).toEqual(NO_ROOM)
    rmSync(ballast)
    await expect.poll(() => publish(note()), { timeout: 10_000 }).toEqual(STORED)
    await expect.poll(kept, { timeout: 40_000 }).toBeGreaterThan(0)
  },
)
