// Without a database address no daemon loads the client of PostgreSQL: it would cost start-up time and memory.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort, startDaemon } from '../support/till-process.js'

/** Prints every import of `pg`, in all threads. */
const HOOK = `
  import { register } from 'node:module'
  const hook = "export async function resolve(what, context, next) { if (what === 'pg' || what.startsWith('pg/')) process._rawDebug('LOADS ' + what); return next(what, context) }"
  register('data:text/javascript,' + encodeURIComponent(hook))`
const WATCHED = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(HOOK)}` }
const LOADED = /LOADS pg/
const WORDS =
  'bar indicate report keen soda vessel find measure shock enemy bronze squeeze page erosion control olive powder lens spin horse leaf give catch lyrics'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'grinpay-no-postgres-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

type Settings = (dataDir: string, bind: string) => Readonly<Record<string, string>>

const nameauth: Settings = (dataDir, bind) => ({
  NAMEAUTH_DOMAIN: 'names.example',
  NAMEAUTH_BASE_URL: `http://${bind}`,
  NAMEAUTH_NAMES_BIND: bind,
  NAMEAUTH_DATA_DIR: dataDir,
})

const DAEMONS: Readonly<Record<string, Settings>> = {
  pay: (dataDir, bind) => ({
    PAY_BIND: bind,
    PAY_CHAIN: 'usernet',
    PAY_NODE_URL: 'http://127.0.0.1:9',
    PAY_DATA_DIR: dataDir,
    PAY_MNEMONIC: WORDS,
    PAY_WALLET_PASSWORD: 'test-wallet',
    PAY_API_TOKEN: `pay_live_${'ab'.repeat(32)}`,
    PAY_RELAY_MODE: 'external',
    PAY_RELAYS: 'wss://relay.one.example,wss://relay.two.example',
  }),
  nameauth,
  relay: () => ({}),
}

async function start(daemon: string, settings: Settings) {
  const bind = `127.0.0.1:${await freePort()}`
  const dataDir = folder()
  const all = { ...WATCHED, ...settings(dataDir, bind) }
  const command = ['serve', daemon]
  if (daemon === 'relay') {
    const config = join(dataDir, 'relay.toml')
    const [, port = ''] = bind.split(':')
    writeFileSync(config, `network.port = ${port}\ndatabase.data_directory = ${JSON.stringify(dataDir)}\n`)
    command.push('--config', config)
  }
  return startDaemon({ command, settings: all, bind, cwd: dataDir })
}

test.each(Object.entries(DAEMONS))('serve %s without a database address does not load pg', async (daemon, settings) => {
  const running = await start(daemon, settings)
  await running.stop()
  expect(running.output()).not.toMatch(LOADED)
})

test('with one it does: the test would notice', async () => {
  const shared: Settings = (dataDir, bind) => ({
    ...nameauth(dataDir, bind),
    NAMEAUTH_DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none?sslmode=disable',
  })
  const printed = await start('nameauth', shared).then(
    async (running) => {
      await running.stop()
      return running.output()
    },
    (error: unknown) => String(error),
  )
  expect(printed).toMatch(LOADED)
})
