// The built command: service files as an operator makes them, and a port that another process holds for a daemon.
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { commandHome } from '../support/command-home.js'
import { cleanEnvironment, freePort, ROOT } from '../support/till-process.js'

const { at, folder, grinpay } = commandHome('services')
const hasActivator = spawnSync('systemd-socket-activate', ['--version']).status === 0

test('units, a proxy and containers follow from one file of settings', async () => {
  writeFileSync(
    at('relay.toml'),
    `[info]\nrelay_url = "wss://relay.example"\n[database]\ndata_directory = "${at('db')}"\n`,
  )
  const relay = ['--daemon', 'relay', '--config', at('relay.toml')]
  const units = await grinpay(['systemd', 'install', ...relay, '--socket', '--dir', at('units')])
  expect({ exit: units.exit, units: readdirSync(at('units')) }).toEqual({
    exit: 0,
    units: [
      'grinpay-backup-relay.service',
      'grinpay-backup-relay.timer',
      'grinpay-relay.service',
      'grinpay-relay.socket',
      'grinpay.target',
    ],
  })
  expect(readFileSync(at('units', 'grinpay-relay.service'), 'utf8')).toContain(
    `${join(ROOT, 'bin/run.js')} serve relay`,
  )
  const site = await grinpay(['proxy', 'install', '--kind', 'caddy', ...relay, '--to', at('relay.caddyfile'), '--json'])
  expect(JSON.parse(site.stdout)).toMatchObject({ files: [{ path: at('relay.caddyfile'), outcome: 'created' }] })
  expect((await grinpay(['config', 'proxy', 'caddy', ...relay])).stdout).toBe(
    readFileSync(at('relay.caddyfile'), 'utf8'),
  )
  expect((await grinpay(['compose', 'print', ...relay, '--file', 'compose.yaml'])).stdout).toContain('\n  relay:\n')
}, 120_000)

test.runIf(hasActivator)('a daemon answers on the socket that it was handed', { timeout: 60_000 }, async () => {
  const [port, never] = [await freePort(), await freePort()]
  const settings = { HOME: folder, NAMEAUTH_DOMAIN: 'names.example', NAMEAUTH_DATA_DIR: at('names') }
  const env = cleanEnvironment({ ...settings, NAMEAUTH_NAMES_BIND: `127.0.0.1:${never}` })
  const passed = Object.keys(env).flatMap((name) => ['--setenv', name])
  const command = [process.execPath, join(ROOT, 'bin/run.js'), 'serve', 'nameauth']
  const child = spawn('systemd-socket-activate', ['--listen', `127.0.0.1:${port}`, ...passed, ...command], {
    env,
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  // The very first connection starts it, and waits.
  let answer: Response | undefined
  for (let tries = 0; tries < 100 && answer === undefined; tries += 1)
    answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => pause(100).then(() => undefined))
  expect(answer?.status).toBe(200)
  await expect(fetch(`http://127.0.0.1:${never}/health`)).rejects.toThrow()
})
