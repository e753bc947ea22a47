// A relay that is killed while its console exports or imports: nothing acknowledged is lost, and what is left is said. And a disk that fills.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openEventStore } from '../../src/storage/index.js'
import { systemClock } from '../../src/system/index.js'
import { canHaveDisk, throughSmallDisk } from '../faults/trouble.js'
import { aText } from '../support/event-builders.js'
import { signInto } from '../support/relay-console.js'
import { anEvent } from '../support/relay-parts.js'
import { freePort, startDaemon } from '../support/till-process.js'
import { wireClient } from '../support/wire-client.js'

const PAGE = '/console/relay/moves'
const NOW = Math.floor(Date.now() / 1000)

async function openWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-moves-'))
  const [port, consolePort] = [await freePort(), await freePort()]
  const config = join(folder, 'relay.toml')
  const lines = {
    'network.port': port,
    'database.data_directory': folder,
    'console.enabled': true,
    'console.bind': `127.0.0.1:${consolePort}`,
  }
  writeFileSync(
    config,
    Object.entries(lines)
      .map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`)
      .join(''),
  )
  const dbPath = join(folder, 'relay.db')
  const files = join(folder, 'event-files')
  mkdirSync(files)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return {
    ...{ folder, dbPath, files, port },
    async serve() {
      const bind = `127.0.0.1:${port}`
      const command = ['serve', 'relay', '--config', config]
      const daemon = await startDaemon({ command, settings: { HOME: folder }, bind, cwd: folder })
      onTestFinished(() => daemon.kill())
      return { daemon, console: await signInto(dbPath, consolePort) }
    },
  }
}

const profile = (at: number) => anEvent(`person ${at}`, { kind: 0, content: '{}', created_at: NOW - at })
const figure = (html: string, label: string): number =>
  Number(new RegExp(`${label}</p>\\s*<p class="value">([\\d,]+)`).exec(html)?.[1]?.replaceAll(',', '') ?? 0)

test('killed during an export: the events are there, the unfinished file is said, and a new export is whole', async () => {
  const { dbPath, files, serve, port } = await openWorld()
  const store = await openEventStore({ path: dbPath, clock: systemClock })
  const MANY = 60_000
  for (let at = 0; at < MANY; at += 1000)
    store.append(Array.from({ length: 1000 }, (_, n) => aText({ created_at: NOW - at - n, content: 'x'.repeat(1500) })))
  await store.close()
  const { daemon, console } = await serve()
  const client = await wireClient(`ws://127.0.0.1:${port}`)
  onTestFinished(() => client.close())
  const acknowledged: string[] = []
  const started = console.submit(PAGE, `${PAGE}/export`).catch(() => undefined)
  const parts = () => readdirSync(files).filter((name) => name.endsWith('.part'))
  for (let at = 0; parts().every((name) => statSync(join(files, name)).size === 0) && at < 500; at++) {
    const event = profile(at)
    const [isAccepted] = await client.publish(event)
    if (isAccepted) acknowledged.push(event.id)
  }
  await daemon.kill()
  await started
  expect(acknowledged.length).toBeGreaterThan(0)
  expect(readdirSync(files)).toEqual([expect.stringMatching(/^events-\d{8}-\d{6}\.jsonl\.part$/)])
  const next = await serve()
  const page = await next.console.page(PAGE)
  expect(page).toContain('not finished')
  expect(page).toContain('None since the console was started.')
  const again = await wireClient(`ws://127.0.0.1:${port}`)
  onTestFinished(() => again.close())
  expect(await again.count({ ids: acknowledged })).toEqual({ count: acknowledged.length })
  await next.console.submit(PAGE, `${PAGE}/export`)
  const whole = `${(MANY + acknowledged.length).toLocaleString('en')} events, `
  await expect.poll(() => next.console.page(PAGE), { timeout: 60_000 }).toContain(whole)
})

test('killed during an import: what the page counted as stored is stored, and the import goes on', async () => {
  const { files, serve } = await openWorld()
  const MANY = 3000
  writeFileSync(
    join(files, 'in.jsonl'),
    Array.from({ length: MANY }, (_, at) => JSON.stringify(profile(at))).join('\n'),
  )
  const { daemon, console } = await serve()
  await console.submit(PAGE, `${PAGE}/import`, { file: 'in.jsonl' })
  let seen = 0
  // A session answers 120 requests a minute.
  for (let tries = 0; seen === 0 && tries < 90; tries++) {
    await pause(100)
    seen = figure(await console.page(PAGE), 'Stored')
  }
  await daemon.kill()
  expect(seen).toBeGreaterThan(0)
  expect(readdirSync(files)).toEqual(['in.jsonl'])
  const next = await serve()
  await next.console.submit(PAGE, `${PAGE}/import`, { file: 'in.jsonl' })
  await expect.poll(() => next.console.page(PAGE), { timeout: 60_000 }).toContain('0 refused.')
  const text = /([\d,]+) stored, ([\d,]+) known before, 0 outdated/.exec(await next.console.page(PAGE))
  const [stored = 0, known = 0] = (text ?? []).slice(1).map((number) => Number(number.replaceAll(',', '')))
  expect(stored + known).toBe(MANY)
  expect(known).toBeGreaterThanOrEqual(seen)
})

test('stopped as systemd does it during an export: the daemon ends by itself, and nothing unfinished is left', async () => {
  const { dbPath, files, serve } = await openWorld()
  const store = await openEventStore({ path: dbPath, clock: systemClock })
  for (let at = 0; at < 60_000; at += 1000)
    store.append(Array.from({ length: 1000 }, (_, n) => aText({ created_at: NOW - at - n, content: 'x'.repeat(1500) })))
  await store.close()
  const { daemon, console } = await serve()
  const started = console.submit(PAGE, `${PAGE}/export`).catch(() => undefined)
  await expect.poll(() => readdirSync(files).length, { timeout: 20_000, interval: 2 }).toBe(1)
  expect(await daemon.stop()).toBe(0)
  await started
  expect(readdirSync(files).filter((name) => name.endsWith('.part'))).toEqual([])
})

const FULL_DISK = `
  import { mkdirSync, readdirSync } from 'node:fs'
  const { exportTo } = await import(process.argv[1])
  const context = { signal: new AbortController().signal, begun() {}, progress() {} }
  const task = { kind: 'export', dbPath: process.argv[2], path: 'out.jsonl', filter: JSON.parse(process.argv[3]) }
  const ended = await exportTo(task, context).then(() => 'whole', ({ code, message }) => code + ' ' + message)
  console.log(JSON.stringify({ ended, left: readdirSync('.') }))
`

test.runIf(canHaveDisk())(
  'a disk without room, and one that fills meanwhile, are errors, and no unfinished file is left',
  async () => {
    const { folder, dbPath } = await openWorld()
    // Many small events make the large ones look smaller than they are, so that the export begins.
    const store = await openEventStore({ path: dbPath, clock: systemClock })
    for (let at = 0; at < 20_000; at += 1000)
      store.append(Array.from({ length: 1000 }, (_, n) => aText({ kind: 7, created_at: NOW - at - n })))
    store.append(Array.from({ length: 60 }, (_, n) => aText({ created_at: NOW - n, content: 'x'.repeat(50_000) })))
    await store.close()
    const disk = join(folder, 'disk')
    mkdirSync(disk)
    const [first = '', ...rest] = throughSmallDisk(disk, 1000)
    const module = join(import.meta.dirname, '../../dist/daemons/parts/relay/moving/export-task.js')
    expect(existsSync(module)).toBe(true)
    function exported(filter: object) {
      const words = [...rest, process.execPath, '--input-type=module', '-e', FULL_DISK, module, dbPath]
      const { stdout, stderr } = spawnSync(first, [...words, JSON.stringify(filter)], { encoding: 'utf8' })
      expect(stderr).toBe('')
      return JSON.parse(stdout)
    }
    const noRoom = /^CONSOLE_MOVE_ROOM the export may take [\d.]+ MB, and \. has 1\.0 MB free/
    expect(exported({ tags: [] })).toEqual({ ended: expect.stringMatching(noRoom), left: [] })
    const full = /^CONSOLE_MOVE_UNWRITABLE .*ENOSPC/
    expect(exported({ kinds: [1], tags: [] })).toEqual({ ended: expect.stringMatching(full), left: [] })
  },
)
