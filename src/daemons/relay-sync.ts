// `relay sync`: synchronises our relay with another one. Ours is the running one, or one started for this on a local port.
import type { RelayConfig } from '../config/index.js'
import type { Secret } from '../lib/secret.js'
import { localHostPort } from '../lib/url.js'
import { parseSecretKey } from '../nostr/identity/index.js'
import { type OpenSocket, openRelayClient } from '../nostr/relays/index.js'
import { type Direction, type SyncProgress, type SyncSummary, syncRelays } from '../relay/index.js'
import { createOpenWebSocket, type SystemLog, systemClock, systemRandom } from '../system/index.js'
import { openRelayDaemon } from './relay.js'

export interface SyncOptions {
  readonly version: string
  readonly log: SystemLog
  /** Address of the other relay: `ws://` or `wss://`. */
  readonly url: string
  readonly filter: object
  readonly direction: Direction
  readonly timeoutMs: number
  /** An nsec or 64 hex digits, for relays that ask for authentication. */
  readonly key?: Secret | undefined
  readonly onProgress?: (progress: SyncProgress) => void
}

export type { SyncProgress, SyncTransfer } from '../relay/index.js'

/** Which of our relays took part. */
export interface SyncAnswer extends SyncSummary {
  readonly own: 'running' | 'started for this'
}

/** Throws RELAY_UNREACHABLE, RELAY_SYNC_FAILED, NOSTR_CODE_INVALID, and what opening the database throws. */
export async function syncWith(config: RelayConfig, options: SyncOptions): Promise<SyncAnswer> {
  const running = `ws://${localHostPort(config.bind.host, config.bind.port)}`
  const openSocket = createOpenWebSocket()
  const parts = {
    ...{ there: options.url, filter: options.filter, direction: options.direction, timeoutMs: options.timeoutMs },
    ...{ openSocket, clock: systemClock, most: config.relay.negentropy.maxSyncEvents },
    key: options.key && { secret: parseSecretKey(options.key), random: systemRandom },
    publicHere: config.relay.info.relayUrls[0],
    ...(options.onProgress && { onProgress: options.onProgress }),
  }
  if (config.bind.port !== 0 && (await answers(running, openSocket)))
    return { own: 'running', ...(await syncRelays({ ...parts, here: running })) }
  const daemon = await openRelayDaemon(onOwnPort(config), options)
  try {
    await daemon.start()
    const here = daemon.address().replace(/^http/, 'ws')
    return { own: 'started for this', ...(await syncRelays({ ...parts, here })) }
  } finally {
    await daemon.stop()
  }
}

/** On a free local port, so that clients do not find it. */
const onOwnPort = (config: RelayConfig): RelayConfig => ({
  ...config,
  bind: { ...config.bind, host: '127.0.0.1', port: 0 },
  torBind: undefined,
  metricsBind: undefined,
})

const PROBE_MS = 3000

const answers = (url: string, openSocket: OpenSocket): Promise<boolean> =>
  openRelayClient({ url, openSocket, clock: systemClock, timeoutMs: PROBE_MS }).then(
    (client) => {
      client.close('it answers')
      return true
    },
    () => false,
  )
