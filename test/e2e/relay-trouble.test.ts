// Troubles of a relay's database other than a kill: another process that holds it, a disk that is full. What is answered then must be true.
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startRelayLife } from '../faults/relay-life.js'
import { type Line, openLine } from '../faults/relay-line.js'
import { emptyRelayLog, type OkReply } from '../faults/relay-log.js'
import { newSociety, type Signed } from '../faults/relay-people.js'
import { ruleFaults } from '../faults/relay-rules.js'
import { readStored } from '../faults/relay-stored.js'
import { canHaveDisk, fillDisk, holdLock, throughSmallDisk } from '../faults/trouble.js'

const society = newSociety()
const FAILED = 'error: could not store the event'
const FULL = 'error: the disk of this relay is full, only deletions are stored'
const seconds = () => Math.floor(Date.now() / 1000)
const [WRITER] = society.writers

/** Its folder may be a disk of this size, which only the process and its /proc entry know. */
async function opened(diskKiB?: number) {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-relay-trouble-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const relay = await startRelayLife({
    folder,
    durability: 'commit',
    society,
    through: throughSmallDisk(folder, diskKiB),
  })
  onTestFinished(() => relay.kill())
  if (!(await relay.up)) throw new Error(relay.output())
  const inside = diskKiB === undefined ? folder : held(`/proc/${relay.child.pid}/root${folder}`)
  const log = emptyRelayLog()
  const line = await openLine(relay.url, (asked) => log.faults.push(`no answer to ${asked}`))
  return {
    ...{ relay, inside, line },
    path: join(inside, 'relay.db'),
    async publish(events: readonly Signed[]): Promise<readonly (OkReply | undefined)[]> {
      return Promise.all(events.map((event) => replyTo(line, event)))
    },
    ready: async () => (await fetch(`${relay.http}/ready`)).status,
    /** Of a process that stands still: its files are copied one after the other. That it could not store is no fault here. */
    faults(): readonly string[] {
      relay.child.kill('SIGSTOP')
      const file = readStored(join(inside, 'relay.db'))
      relay.child.kill('SIGCONT')
      const found = [...log.faults, ...file.faults, ...ruleFaults(log, file, seconds())]
      return found.filter((fault) => ![FAILED, FULL].some((text) => fault.endsWith(`was answered false "${text}"`)))
    },
  }

  async function replyTo(to: Line, event: Signed): Promise<OkReply | undefined> {
    const attempt = log.begin(event, true)
    attempt.reply = await to.publish(event)
    attempt.endedAt = log.tick()
    return attempt.reply
  }
}

const START = seconds() - 1000
let made = 0

/** The same folder, for as long as the test takes: the disk would go with its process. */
function held(folder: string): string {
  const handle = openSync(folder, 'r')
  onTestFinished(() => closeSync(handle))
  return `/proc/self/fd/${handle}`
}

/** A note, a profile that replaces the last one, and a gift wrap. */
function someEvents(length = 100): readonly Signed[] {
  const created_at = START + made
  const content = `${made++} `.padEnd(length, 'x')
  return [
    WRITER!.sign({ kind: 1, created_at, tags: [['t', 'a']], content }),
    WRITER!.sign({ kind: 0, created_at, tags: [], content }),
    society.throwAway[0]!.sign({ kind: 1059, created_at, tags: [['p', society.recipients[0]!.pubkey]], content }),
  ]
}

const isStored = (reply: OkReply | undefined): boolean => reply?.accepted === true && reply.text === ''

test('who holds the database for seconds makes events wait, not fail', async () => {
  const { path, publish, faults } = await opened()
  const letGo = holdLock(path)
  const answers = publish(someEvents())
  await pause(2000)
  letGo()
  expect((await answers).every(isStored)).toBe(true)
  expect(faults()).toEqual([])
})

test('who holds it for longer makes them fail, truly: nothing happened, and the same events are good afterwards', async () => {
  const { path, publish, line, faults, relay } = await opened()
  const letGo = holdLock(path)
  const events = someEvents()
  const answers = await publish(events)
  expect(answers).toEqual(events.map(() => ({ accepted: false, text: FAILED })))
  expect(await line.ask({ ids: events.map(({ id }) => id) })).toEqual([])
  expect(faults()).toEqual([])
  letGo()
  // The newer version first: the older one is then refused for its age.
  expect((await publish(events)).every(isStored)).toBe(true)
  expect((await publish(events)).map((reply) => reply?.text)).toEqual(events.map(() => 'duplicate: have this event'))
  expect(faults()).toEqual([])
  const output = relay.output()
  expect([output.includes('events cannot be stored'), output.includes('events are stored again')]).toEqual([true, true])
})

const hasDisk = canHaveDisk()

test.runIf(hasDisk)('on a full disk nothing is acknowledged that is not kept; with room again it goes on', async () => {
  const { inside, publish, line, ready, faults } = await opened(12_288)
  const before = someEvents()
  expect((await publish(before)).every(isStored)).toBe(true)
  const ballast = join(inside, 'ballast')
  fillDisk(ballast)
  const refused: Signed[] = []
  for (let at = 0; at < 100 && refused.length < 12; at += 1) {
    const events = [...someEvents(20_000), ...someEvents(20_000)]
    const answers = await publish(events)
    refused.push(...events.filter((_, index) => [FAILED, FULL].includes(answers[index]?.text ?? '')))
  }
  expect(refused.length).toBeGreaterThanOrEqual(12)
  expect(faults()).toEqual([])
  const [known] = before
  expect((await line.ask({ ids: [known!.id] }))?.length).toBe(1)
  expect(await ready()).toBe(503)

  rmSync(ballast)
  // What the last look at the disk said holds for a moment.
  let left: readonly Signed[] = refused
  const publishLeft = async () => {
    const answers = await publish(left)
    left = left.filter((_, at) => !isStored(answers[at]) && answers[at]?.text !== 'replaced: have newer event')
    return left.length
  }
  await expect.poll(publishLeft, { timeout: 10_000 }).toBe(0)
  expect((await publish(someEvents())).every(isStored)).toBe(true)
  await expect.poll(ready, { timeout: 15_000 }).toBe(200)
  expect(faults()).toEqual([])
})

test.runIf(hasDisk)('it ends in order on a full disk too', async () => {
  const { inside, publish, relay, path, faults } = await opened(12_288)
  for (let at = 0; at < 20; at += 1) expect((await publish(someEvents())).every(isStored)).toBe(true)
  fillDisk(join(inside, 'ballast'))
  for (let at = 0; at < 100; at += 1) if (!(await publish(someEvents(20_000))).every(isStored)) break
  expect(await relay.stop()).toBe(0)
  expect(faults()).toEqual([])
  expect(readStored(path).events.size).toBeGreaterThan(20)
})

test.runIf(hasDisk)(
  'a disk that is nearly full is reported within ten seconds, also without publishers; and so is free space again',
  async () => {
    const { inside, ready } = await opened(12_288)
    await expect.poll(ready, { timeout: 10_000 }).toBe(200)
    const ballast = join(inside, 'ballast')
    fillDisk(ballast)
    await expect.poll(ready, { timeout: 10_000, interval: 500 }).toBe(503)
    await pause(31_000) // longer than a failed attempt to store is remembered
    expect(await ready()).toBe(503)
    rmSync(ballast)
    await expect.poll(ready, { timeout: 10_000, interval: 500 }).toBe(200)
  },
)
