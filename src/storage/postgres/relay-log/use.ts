// One use of a connection of the pool, and how work ended that is repeated.
import type { Clock } from '../../../lib/ports.js'
import { CommitUnknown } from '../change.js'
import type { Connection } from '../driver.js'
import type { Pool } from '../pool.js'

const WAIT_MS = 10_000

/** Rejects with what the pool or `work` rejects with, and with `CommitUnknown` when the server gave up waiting for a standby meanwhile. */
export async function useConnection<T>(
  pool: Pool,
  clock: Clock,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await pool.acquire(clock.monotonic() + WAIT_MS)
  try {
    const answer = await work(connection)
    if (!connection.isSound) throw new CommitUnknown()
    return answer
  } finally {
    pool.release(connection)
  }
}

export const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )
