// The console of a relay by itself ([console] in relay.toml). Loaded only when it is on.
import { createNamesArea, namesOf } from '../../../authority/console/index.js'
import type { RelayConfig } from '../../../config/index.js'
import type { ConsoleArea } from '../../../console/index.js'
import { localHostPort } from '../../../lib/url.js'
import { createMoveArea, createRelayArea } from '../../../relay/console/index.js'
import type { SystemClock, SystemLog, SystemRandom } from '../../../system/index.js'
import type { checksOf, Part } from '../../runtime.js'
import { createConsolePart } from '../console.js'
import { observeRelay } from './console-relay.js'
import { readRunningRelay } from './console-running.js'
import type { RelayCore } from './core.js'
import { createMoves } from './moving/moves.js'

export interface RelayConsoleParts {
  readonly config: RelayConfig
  readonly core: RelayCore
  /** Of the relay's listener, which starts later: `http://127.0.0.1:7777`. */
  readonly address: () => string
  readonly checks: () => ReturnType<typeof checksOf>
  readonly log: SystemLog
  readonly clock: SystemClock
  readonly random: SystemRandom
}

/** With the names where the authority runs in this process. Listening throws ADDRESS_IN_USE. */
export async function createRelayConsole({
  core,
  checks,
  address,
  ...parts
}: RelayConsoleParts): Promise<readonly Part[]> {
  const { config, log, clock, random } = parts
  const { dbPath, consoleBind: bind, consoleUrl: url, trustedProxies, addressHeader, relay } = config
  const reads = readRunningRelay({ core, checks, clock })
  const { maxMessageBytes } = relay.limits
  const facts = { ...config, ...relay.info, durability: relay.durability, maxMessageBytes }
  const moves = createMoves({ places: () => ({ dbPath, url: localUrl(address()), maxMessageBytes }), clock, log })
  const { view, mark, part } = observeRelay({ facts, reads, clock, log })
  const site = { name: relay.info.name ?? 'grinpay relay', banner: null }
  const areas: readonly ConsoleArea[] = [
    createRelayArea(async () => view, mark),
    createMoveArea(moves.moves),
    ...namesAreas(config, core, clock),
  ]
  const shared = { log, clock, random, trustedProxies, addressHeader }
  const web = await createConsolePart({ ...shared, dbPath, bind, url, site, areas })
  return [part, moves.part, web]
}

function namesAreas({ names }: RelayConfig, { authority }: RelayCore, clock: SystemClock): readonly ConsoleArea[] {
  const { store } = authority
  return names && store ? [createNamesArea(namesOf({ store, clock, names }))] : []
}

/** For a client on this machine. */
function localUrl(address: string): string {
  const { hostname, port } = new URL(address)
  return `ws://${localHostPort(hostname.replace(/^\[|\]$/g, ''), Number(port || 80))}`
}
