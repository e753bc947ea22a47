// The lease `retention`: its holder removes old events for all front ends, and looks after the partitions of the log.
import { messageOf } from '../../../lib/errors.js'
import type { Clock, Log } from '../../../lib/ports.js'
import { keepLease, type Lease } from '../leases.js'
import type { Pool } from '../pool.js'
import type { Transactions } from '../transactions.js'
import { keepPartitions } from './partitions.js'
import { useConnection } from './use.js'

const ROUND_MS = 60_000

interface RetentionParts {
  readonly pool: Pool
  readonly transactions: Transactions
  readonly clock: Clock
  readonly log?: Pick<Log, 'info' | 'warn'> | undefined
  /** Identifies this process. */
  readonly holder: string
  readonly days: number
}

export interface Retention {
  isHeld(): boolean
  close(): Promise<void>
}

export function keepRetention({ pool, transactions, clock, log, holder, days }: RetentionParts): Retention {
  let held: Lease | undefined

  const round = (): Promise<void> =>
    useConnection(pool, clock, (connection) => keepPartitions(connection, { days, now: clock.now() }))

  async function work(lease: Lease): Promise<void> {
    held = lease
    while (!lease.signal.aborted) {
      await round().catch((error: unknown) =>
        log?.warn({ cause: messageOf(error) }, "the partitions of the relay's log were not looked after"),
      )
      await clock.sleep(ROUND_MS, lease.signal)
    }
  }

  const keeper = keepLease({ name: 'retention', holder, transactions, clock, log, work })
  return { isHeld: () => held?.isHeld() ?? false, close: keeper.close }
}
