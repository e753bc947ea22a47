// PAY_RELAY_MODE=bundled: the till brings its own relay, dials it first, and lives with one that is there already.
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { loadPayConfig, openEnvironment } from '../../src/config/index.js'
import { portFor } from '../../src/daemons/parts/ports.js'
import { openPayDaemon } from '../../src/daemons/pay.js'
import { openHome, sandboxVariables } from '../../src/sandbox/index.js'
import { systemRandom } from '../../src/system/index.js'
import { createLog } from '../../src/system/log.js'
import { createRangeWorkers } from '../../src/workers/index.js'
import { bundledRelay, NO_RAIL_ADDRESSES } from '../support/no-rails.js'
import { temporaryFolder } from '../support/temporary-store.js'

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const workers = createRangeWorkers({ inline: true })

async function till(relayPort: number, settings: Readonly<Record<string, string>> = {}) {
  const { folder, remove } = temporaryFolder()
  cleanups.push(remove)
  const home = await openHome(join(folder, 'till'), systemRandom)
  const addresses = { port: 0, nodeUrl: 'http://127.0.0.1:9', webhookUrl: 'http://127.0.0.1:9/', ...NO_RAIL_ADDRESSES }
  const variables = {
    ...sandboxVariables(home, addresses),
    ...bundledRelay(relayPort),
    ...settings,
  }
  const config = loadPayConfig(openEnvironment({ variables }), { allowSandbox: true })
  const lines: string[] = []
  const log = createLog({ human: false, write: (line) => void lines.push(line) })
  const daemon = await openPayDaemon(config, { version: '0', log, workers })
  cleanups.push(daemon.stop)
  await daemon.start()
  return { config, daemon, logText: () => lines.join(''), relays: async () => (await daemon.till.status()).relays }
}

const documentAt = async (port: number) =>
  (await fetch(`http://127.0.0.1:${port}`, { headers: { accept: 'application/nostr+json' } })).json()

test('the relay runs in the till’s process, is dialled, and keeps its data beside the till’s', async () => {
  const port = await portFor(0, 0)
  const { config, relays } = await till(port, { RELAY_INFO_NAME: 'Relay of the shop' })
  expect(await documentAt(port)).toMatchObject({ name: 'Relay of the shop' })
  expect(config.ownRelay?.dbPath).toBe(join(config.dataDir, 'relay', 'relay.db'))
  expect(config.ownRelay?.relay.info.relayUrls).toEqual([`ws://127.0.0.1:${port}`])
  await vi.waitFor(async () => expect(await relays()).toMatchObject([{ state: 'connected', subscribed: true }]), 10_000)
})

test('where something listens already, that is used, and said', async () => {
  const port = await portFor(0, 0)
  await till(port)
  const second = await till(port)
  expect(second.logText()).toContain('the address of the own relay is taken')
  await vi.waitFor(async () => expect(await second.relays()).toMatchObject([{ state: 'connected' }]), 10_000)
})

test('with off, and with external relays only, none runs', async () => {
  const port = await portFor(0, 0)
  const { config } = await till(port, { PAY_BUNDLED_RELAY_BIND: 'off' })
  expect(config.ownRelay).toBeUndefined()
  await expect(documentAt(port)).rejects.toThrow()
  const other = await till(port, { PAY_RELAY_MODE: 'external', PAY_RELAYS: `ws://127.0.0.1:${port}` })
  expect(other.config.ownRelay).toBeUndefined()
})
