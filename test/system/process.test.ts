import { EventEmitter } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createNotifier, onStopSignal, tillPlaces } from '../../src/system/index.js'

class Signals extends EventEmitter {
  readonly exits: number[] = []
  exit(code: number): void {
    this.exits.push(code)
  }
}

test('the first signal asks to stop, the second ends the process', () => {
  const source = new Signals()
  const asked: string[] = []
  onStopSignal((signal) => asked.push(signal), source)
  source.emit('SIGTERM')
  source.emit('SIGINT')
  expect(asked).toEqual(['SIGTERM'])
  expect(source.exits).toEqual([130])
})

test('a hang-up asks to reload, again and again', () => {
  const source = new Signals()
  const asked: string[] = []
  const stop = () => asked.push('stop')
  onStopSignal(stop, source, () => asked.push('reload'))
  source.emit('SIGHUP')
  source.emit('SIGHUP')
  expect(asked).toEqual(['reload', 'reload'])
})

test('a hang-up because the terminal was closed asks to stop, however often it comes', () => {
  const source = new Signals()
  const asked: string[] = []
  let isOpen = true
  onStopSignal(
    (signal) => asked.push(signal),
    source,
    () => asked.push('reload'),
    () => isOpen,
  )
  isOpen = false
  source.emit('SIGHUP')
  source.emit('SIGHUP')
  expect(asked).toEqual(['SIGHUP'])
  expect(source.exits).toEqual([])
})

test('after the end nothing listens', () => {
  const source = new Signals()
  onStopSignal(() => undefined, source)()
  expect(source.eventNames()).toEqual([])
})

test('under systemd each word goes through systemd-notify for our process', async () => {
  const calls: string[][] = []
  const run = async (file: string, args: readonly string[]) => void calls.push([file, ...args])
  const notifier = createNotifier({ socket: '/run/notify', watchdogUsec: '60000000', run })
  await notifier.ready('serving')
  await notifier.alive()
  await notifier.stopping()
  expect(notifier.watchdogMs).toBe(30_000)
  expect(calls).toEqual([
    ['systemd-notify', `--pid=${process.pid}`, '--ready', '--status=serving'],
    ['systemd-notify', `--pid=${process.pid}`, 'WATCHDOG=1'],
    ['systemd-notify', `--pid=${process.pid}`, 'STOPPING=1'],
  ])
})

test('without a socket nothing is run, and a missing program is not an error', async () => {
  let runs = 0
  const failing = async () => {
    runs++
    throw new Error('ENOENT')
  }
  const outside = createNotifier({ socket: '', watchdogUsec: '60000000', run: failing })
  await outside.ready('x')
  expect(outside.watchdogMs).toBeUndefined()
  expect(runs).toBe(0)
  await createNotifier({ socket: '/run/notify', run: failing }).ready('x')
  expect(runs).toBe(1)
})

test('a prefix keeps everything together, none means the machine', () => {
  expect(tillPlaces('/x')).toMatchObject({ envFile: '/x/pay.env', dataDir: '/x/data', dbPath: '/x/data/pay.db' })
  expect(tillPlaces()).toMatchObject({ envFile: '/etc/grinpay/pay.env', dataDir: '/var/lib/grinpay' })
})

test('systemd-notify is given its socket and no other variable of ours', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-notify-'))
  writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\n/usr/bin/env > ${folder}/env\n`, { mode: 0o755 })
  vi.stubEnv('PATH', folder)
  vi.stubEnv('NOTIFY_SOCKET', '/run/notify')
  vi.stubEnv('PAY_WALLET_PASSWORD', 'open sesame')
  onTestFinished(() => void vi.unstubAllEnvs())
  await createNotifier().ready('x')
  const names = readFileSync(join(folder, 'env'), 'utf8')
    .split('\n')
    .flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? [])
  rmSync(folder, { recursive: true })
  expect(names).toContain('NOTIFY_SOCKET')
  expect(names.filter((name) => name.startsWith('PAY_'))).toEqual([])
})
