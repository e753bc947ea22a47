// Logs one line when a relay is lost and one when it is back.
import type { Clock } from '../../lib/ports.js'
import type { PoolLog } from './ports.js'

const STEADY_MS = 60_000

export interface OutageLog {
  up(): void
  down(reason: string): void
  /** Call periodically: detects that a relay is stable for a minute. */
  tick(): void
}

export function createOutageLog(relay: string, clock: Pick<Clock, 'monotonic'>, log: PoolLog): OutageLog {
  let upSince: number | undefined
  let outage: { readonly since: number; failures: number; isLogged: boolean; losses: number } | undefined

  return {
    up() {
      upSince = clock.monotonic()
      if (!outage) return log.info({ relay }, 'relay connected')
      if (outage.isLogged) return
      outage.isLogged = true
      const awaySeconds = Math.round((clock.monotonic() - outage.since) / 1000)
      log.info({ relay, failures: outage.failures, awaySeconds }, 'relay is back')
    },
    down(reason) {
      const wasUp = upSince !== undefined
      upSince = undefined
      if (!outage) {
        outage = { since: clock.monotonic(), failures: 1, isLogged: false, losses: 0 }
        return log.warn({ relay, reason }, wasUp ? 'relay lost, connecting again' : 'relay not reachable, trying on')
      }
      outage.failures++
      if (wasUp) outage.losses++
    },
    tick() {
      if (!outage || upSince === undefined || clock.monotonic() - upSince < STEADY_MS) return
      if (outage.losses > 0) log.info({ relay, losses: outage.losses }, 'relay is steady again')
      outage = undefined
    },
  }
}
