// What each node of a cluster says of itself, for the operator.
import { type DatabaseHost, formatDatabaseHost } from '../../lib/database-address.js'
import { GrinpayError, messageOf } from '../../lib/errors.js'
import type { Clock } from '../../lib/ports.js'
import { opener } from './open.js'
import type { DatabasePlace } from './place.js'
import { NAMES_SERVICE } from './services.js'
import { STATEMENT_MS } from './transactions.js'

export type NodeView =
  /** `hint`: when it answers and is not used. */
  | { readonly host: string; readonly role: 'away'; readonly cause: string; readonly hint?: string | undefined }
  | {
      readonly host: string
      readonly role: 'primary' | 'standby'
      readonly version: number
      /** Of a primary: how many nodes receive its log. */
      readonly followers: number
      /** Of a standby: whether it receives the log of a primary. */
      readonly isFollowing: boolean
      /** Of a primary: commits wait for a standby. */
      readonly isSynchronous: boolean
      /** How far its clock is ahead of ours; negative: behind. */
      readonly clockAheadMs: number
    }

/** A standby that cannot follow connects again and again; one that follows keeps its connection. */
const SECOND_LOOK_MS = 300
const RECEIVER = "SELECT 1 FROM pg_stat_wal_receiver WHERE status = 'streaming' AND pid = ?"

const LOOK = `SELECT pg_is_in_recovery(), current_setting('server_version_num')::int / 10000,
  (SELECT count(*) FROM pg_stat_replication), (SELECT max(pid) FROM pg_stat_wal_receiver WHERE status = 'streaming'),
  current_setting('synchronous_standby_names') <> '', (extract(epoch FROM clock_timestamp()) * 1000)::bigint`

/** Every node of the address, in its order. Never throws. */
export const lookAtNodes = (place: DatabasePlace, clock: Clock): Promise<readonly NodeView[]> =>
  Promise.all(place.address.hosts.map((host) => lookAt(place, host, clock)))

async function lookAt(place: DatabasePlace, host: DatabaseHost, clock: Clock): Promise<NodeView> {
  try {
    const connection = await opener({ place, service: NAMES_SERVICE }, STATEMENT_MS)(host)
    try {
      const asked = clock.now()
      const [isStandby, version, followers, receiver = null, isSynchronous, at] = (await connection.get(LOOK)) ?? []
      const clockAheadMs = Number(at) - (asked + clock.now()) / 2
      if (receiver !== null) await clock.sleep(SECOND_LOOK_MS)
      return {
        host: connection.host,
        role: isStandby === 't' ? 'standby' : 'primary',
        version: Number(version),
        followers: Number(followers),
        isFollowing: receiver !== null && (await connection.get(RECEIVER, [receiver])) !== undefined,
        isSynchronous: isSynchronous === 't',
        clockAheadMs,
      }
    } finally {
      connection.close()
    }
  } catch (error) {
    const hint = error instanceof GrinpayError ? error.hint : undefined
    return { host: formatDatabaseHost(host), role: 'away', cause: messageOf(error), hint }
  }
}
