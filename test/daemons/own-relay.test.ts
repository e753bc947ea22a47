// PAY_RELAY_MODE=bundled: the till brings its own relay, dials it first, and lives with one that is there already.
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { portFor } from '../../src/daemons/parts/ports.js'
import { createLog } from '../../src/system/log.js'
import { createRangeWorkers } from '../../src/workers/index.js'
import { bundledRelay, openSandboxTill, sandboxTill } from '../support/sandbox-till.js'
import { temporaryFolder } from '../support/temporary-store.js'

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const workers = createRangeWorkers({ inline: true })

async function till(relayPort: number, settings: Readonly<Record<string, string>> = {}) {
  const { folder, remove } = temporaryFolder()
  cleanups.push(remove)
  const { config } = await sandboxTill(join(folder, 'till'), { port: 0 }, { ...bundledRelay(relayPort), ...settings })
  const lines: string[] = []
  const log = createLog({ human: false, write: (line) => void lines.push(line) })
  const daemon = await openSandboxTill(config, { log, workers })
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
