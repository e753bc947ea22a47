// With PAY_GRIN1_RAIL=on the daemon itself serves the Foreign API and looks after the onion service.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadPayConfig, openEnvironment } from '../../src/config/index.js'
import { portFor } from '../../src/daemons/parts/ports.js'
import { openPayDaemon, type PayDaemon } from '../../src/daemons/pay.js'
import { openHome, sandboxVariables } from '../../src/sandbox/index.js'
import { openLog, systemRandom } from '../../src/system/index.js'
import { createRangeWorkers } from '../../src/workers/index.js'
import { NO_RAIL_ADDRESSES, NO_RAILS } from '../support/no-rails.js'

const workers = createRangeWorkers({ inline: true })
let folder: string
let daemon: PayDaemon
let port: number

async function start(rail: 'on' | 'off'): Promise<void> {
  const home = await openHome(folder, systemRandom)
  port = await portFor(0, 0)
  const addresses = { port: 0, nodeUrl: 'http://127.0.0.1:9', webhookUrl: 'http://127.0.0.1:9/', ...NO_RAIL_ADDRESSES }
  const variables = {
    ...sandboxVariables(home, addresses),
    ...NO_RAILS,
    PAY_BIND: '127.0.0.1:0',
    PAY_GRIN1_RAIL: rail,
    PAY_GRIN1_FOREIGN_PORT: String(port),
    PAY_TOR_CONTROL: 'off',
  }
  const config = loadPayConfig(openEnvironment({ variables }), { allowSandbox: true })
  daemon = await openPayDaemon(config, { version: '0', log: await openLog({ level: 'silent' }), workers })
  await daemon.start()
}

const ask = () =>
  fetch(`http://127.0.0.1:${port}/v2/foreign`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'check_version', params: [] }),
  })

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grinpay-grin1-'))
})
afterEach(async () => {
  await daemon.stop()
  await rm(folder, { recursive: true })
})

describe('the grin1 rail', () => {
  test('answers wallets on its own port while it is on', async () => {
    await start('on')
    expect(await (await ask()).json()).toMatchObject({ result: { Ok: { foreign_api_version: 2 } } })
  })

  test('has no port while it is off', async () => {
    await start('off')
    await expect(ask()).rejects.toThrow()
  })
})
