// The processes that share a schema: version, settings and clock of each, for `instance list` and the doctor.
import type { Clock } from '../../lib/ports.js'
import type { Transactions } from './transactions.js'

interface Instance {
  readonly daemon: string
  readonly version: string
  readonly host: string
  /** By its own clock, in milliseconds. */
  readonly startedAt: number
  /** A digest of each setting that has to be the same everywhere; no secrets. */
  readonly fingerprints: Readonly<Record<string, string>>
}

export interface SeenInstance extends Instance {
  /** A UUID; a process that starts again has another one. */
  readonly id: string
  /** Jobs that exist once and that it does, by their names. */
  readonly leases: readonly string[]
  /** By the clock of the database. */
  readonly seenAt: number
  /** How long ago that was. */
  readonly silentMs: number
  /** So long that it has ended, or is cut off. */
  readonly isSilent: boolean
  /** How far its clock is ahead of the database; negative: behind. */
  readonly clockAheadMs: number
}

export interface Instances {
  /** To be repeated while the process runs. What it writes is not waited for by a standby. */
  announce(instance: Instance): Promise<void>
  /** The process stops. */
  withdraw(): Promise<void>
}

/** A commit that no standby has yet is good enough here, and takes no slot of the server while none answers. Until the end of the transaction. */
export const UNHURRIED = "set_config('synchronous_commit', 'off', true) = 'off'"

const ANNOUNCE = `INSERT INTO instance (id, daemon, version, host, started, clock, fingerprints, seen)
  SELECT ?::uuid, ?::text, ?::text, ?::text, ?::bigint, ?::bigint, ?::text, now() WHERE ${UNHURRIED}
  ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, clock = excluded.clock`
const WITHDRAW = `DELETE FROM instance WHERE id = ?::uuid AND ${UNHURRIED}`
/** Of processes that ended without a word, so that the operator has seen it. */
const FORGET = `DELETE FROM instance WHERE seen < now() - interval '1 day' AND ${UNHURRIED}`

/** `id`: of this process, as in its leases. `look`: done with each announcement. */
export function createInstances(
  { repeatable }: Pick<Transactions, 'repeatable'>,
  clock: Pick<Clock, 'now'>,
  id: string,
  look: () => Promise<void>,
): Instances {
  return {
    async announce({ daemon, version, host, startedAt, fingerprints }) {
      const text = JSON.stringify(fingerprints)
      // Its clock is read when the statement leaves: a connection may have been waited for.
      await repeatable((db) => db.run(ANNOUNCE, [id, daemon, version, host, startedAt, clock.now(), text]))
      await repeatable((db) => db.run(FORGET))
      await look()
    },
    withdraw: async () => void (await repeatable((db) => db.run(WITHDRAW, [id]))),
  }
}
