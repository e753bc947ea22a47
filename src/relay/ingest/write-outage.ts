// Whether events can be stored. The log hears when that changes, not of every event: a full disk would fill the log too.
import { messageOf } from '../../lib/errors.js'
import type { Clock, Log } from '../../lib/ports.js'

export interface WriteOutage {
  /** Called after a failed write. */
  failed(cause: unknown): void
  /** Called after a successful write. */
  succeeded(): void
  /**
   * True when writes failed lately. Becomes false after half a minute without an attempt: a relay that reports an outage gets no events, and would
   * never learn that the store works again.
   */
  isOn(): boolean
}

const KNOWN_MS = 30_000

export function createWriteOutage({
  clock,
  log,
}: {
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Log
}): WriteOutage {
  let failedAt: number | undefined

  return {
    failed(cause) {
      if (failedAt === undefined) log.error({ cause: messageOf(cause) }, 'events cannot be stored')
      failedAt = clock.monotonic()
    },
    succeeded() {
      if (failedAt !== undefined) log.info({}, 'events are stored again')
      failedAt = undefined
    },
    isOn: () => failedAt !== undefined && clock.monotonic() - failedAt < KNOWN_MS,
  }
}
