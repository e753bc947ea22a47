// The daemon of a sandbox till, as tests compose it. It is paid by pasting only: its relay is a closed port, and no Foreign API listens.
import { loadPayConfig, openEnvironment } from '../../src/config/index.js'
import { openPayDaemon, type PayDaemon } from '../../src/daemons/pay.js'
import { openHome, sandboxVariables } from '../../src/sandbox/index.js'
import { openLog, systemRandom } from '../../src/system/index.js'
import { createRangeWorkers } from '../../src/workers/index.js'

type Variables = Readonly<Record<string, string>>

export const NO_RAIL_ADDRESSES = { relayUrl: 'ws://127.0.0.1:9', foreignPort: 9 }
const CLOSED_PORT = 'http://127.0.0.1:9'
const ADDRESSES = {
  port: 8420,
  nodeUrl: CLOSED_PORT,
  webhookUrl: `${CLOSED_PORT}/`,
  ...NO_RAIL_ADDRESSES,
}
const NO_RAILS = { PAY_CHECKOUT_METHODS: 'slatepack', PAY_GRIN1_RAIL: 'off' }

/** A till whose relay runs in its own process, on this port, and which knows no other. */
export const bundledRelay = (port: number) => ({
  ...NO_RAILS,
  PAY_CHECKOUT_METHODS: 'nostr,slatepack',
  PAY_RELAY_MODE: 'bundled',
  PAY_RELAYS: '',
  PAY_BUNDLED_RELAY_URL: `ws://127.0.0.1:${port}`,
  PAY_BUNDLED_RELAY_BIND: `127.0.0.1:${port}`,
})

/** The home and the settings of a till in `folder`, which is made when it is missing; `more` comes on top. */
export async function sandboxTill(
  folder: string | undefined,
  addresses: Partial<typeof ADDRESSES> = {},
  more: Variables = {},
) {
  const home = await openHome(folder, systemRandom)
  const variables = { ...sandboxVariables(home, { ...ADDRESSES, ...addresses }), ...NO_RAILS, ...more }
  return { home, variables, config: loadPayConfig(openEnvironment({ variables }), { allowSandbox: true }) }
}

/** Opens the till with a silent log and its proofs on this thread, unless `options` say otherwise. */
export async function openSandboxTill(
  config: Parameters<typeof openPayDaemon>[0],
  options: Partial<Parameters<typeof openPayDaemon>[1]> = {},
): Promise<PayDaemon> {
  const log = options.log ?? (await openLog({ level: 'silent' }))
  return openPayDaemon(config, { version: '0', workers: createRangeWorkers({ inline: true }), ...options, log })
}

/** Its alarms but those of the webhook receiver, where nothing listens. */
export async function alarmsOf({ till }: PayDaemon): Promise<readonly string[]> {
  const { alarms } = await till.status()
  return alarms.filter((alarm) => !alarm.startsWith('webhook receiver 1: 127.0.0.1:9 '))
}
