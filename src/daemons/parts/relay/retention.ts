// Removes again what is too old or too much, where the operator set bounds.
import type { RelayConfig } from '../../../config/index.js'
import type { OpenEventStore } from '../../../storage/index.js'
import type { Clock, Log } from '../../../system/index.js'
import type { Part } from '../../runtime.js'
import { createLoop } from '../loop.js'

const EVERY_MS = 600_000

interface RetentionParts {
  readonly store: Pick<OpenEventStore, 'prune'>
  readonly retention: NonNullable<RelayConfig['retention']>
  readonly clock: Clock
  readonly log: Log
}

export const retentionLoop = ({ store, retention, clock, log }: RetentionParts): Part =>
  createLoop({
    name: 'retention',
    everyMs: EVERY_MS,
    async pass() {
      const events = await store.prune(retention)
      if (events > 0) log.info({ events }, 'old events were removed')
    },
    sleep: clock.sleep,
    log,
  })
