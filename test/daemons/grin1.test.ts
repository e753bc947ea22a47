// With PAY_GRIN1_RAIL=on the daemon itself serves the Foreign API and looks after the onion service.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { portFor } from '../../src/daemons/parts/ports.js'
import type { PayDaemon } from '../../src/daemons/pay.js'
import { openSandboxTill, sandboxTill } from '../support/sandbox-till.js'

let folder: string
let daemon: PayDaemon
let port: number

async function start(rail: 'on' | 'off'): Promise<void> {
  port = await portFor(0, 0)
  const { config } = await sandboxTill(
    folder,
    { port: 0 },
    { PAY_GRIN1_RAIL: rail, PAY_GRIN1_FOREIGN_PORT: String(port), PAY_TOR_CONTROL: 'off' },
  )
  daemon = await openSandboxTill(config)
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
