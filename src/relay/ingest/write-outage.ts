// Whether events can be stored. The log hears when that changes, not of every event: a full disk would fill the log too.
import { messageOf } from '../../lib/errors.js'
import type { Clock, Log } from '../ports.js'

export interface WriteOutage {
  /** Events could not be stored. */
  failed(cause: unknown): void
  /** Events were stored. */
  succeeded(): void
  /**
   * Whether events could not be stored of late. After half a minute without a try nobody knows, and it is false: where no events are sent to a
   * relay that cannot store any, it would never find out that it can again.
   */
  isOn(): boolean
}

const KNOWN_MS = 30_000

export function createWriteOutage({
  clock,
  log,
}: {
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}): WriteOutage {
  let failedAt: number | undefined

  return {
    failed(cause) {
      if (failedAt === undefined) log.error({ cause: messageOf(cause) }, 'events cannot be stored')
      failedAt = clock.now()
    },
    succeeded() {
      if (failedAt !== undefined) log.info({}, 'events are stored again')
      failedAt = undefined
    },
    isOn: () => failedAt !== undefined && Math.abs(clock.now() - failedAt) < KNOWN_MS,
  }
}
