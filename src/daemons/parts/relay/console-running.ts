// The relay of this process, as the console sees it: counters and lists in memory.
import { createReadiness } from '../../../http/index.js'
import type { RelayFigures } from '../../../relay/console/index.js'
import { openProcessFigures, type SystemClock } from '../../../system/index.js'
import type { checksOf } from '../../runtime.js'
import type { RelayReads } from './console-relay.js'
import type { RelayCore } from './core.js'

interface RunningParts {
  readonly core: Pick<RelayCore, 'relay' | 'readers' | 'signatures' | 'stats' | 'lists'>
  readonly checks: () => ReturnType<typeof checksOf>
  readonly clock: Pick<SystemClock, 'now' | 'sleep'>
}

export function readRunningRelay({ core, checks, clock }: RunningParts): RelayReads {
  const { relay, readers, signatures, stats, lists } = core
  const process = openProcessFigures()
  const readiness = createReadiness({ checks, clock })
  const startedAt = Math.round(clock.now() - process.read().uptimeSeconds * 1000)

  function readProcess() {
    const { residentBytes, lag } = process.read()
    return { startedAt, memoryBytes: residentBytes, lagSeconds: { p99: lag.p99Seconds, max: lag.maxSeconds } }
  }

  return {
    isBeside: false,
    unknown: '',
    async figures(): Promise<RelayFigures> {
      const { events, kinds, refusals, verifying, ...figures } = relay.metrics()
      const setup = signatures.current()
      return {
        ...figures,
        ...readProcess(),
        ...{ kinds, refusals },
        at: clock.now(),
        ...outcomesOf(events),
        signatures: verifying.waiting + verifying.underWay,
        signatureCheck: setup ? `${setup.check}, ${setup.threads} threads` : null,
        readers: readers(),
      }
    },
    async checks() {
      const findings = await readiness.findings()
      return findings.map(({ name, ok, detail, since, informative = false }) => ({
        ...{ name, ok, since, informative },
        detail: ok ? '' : detail,
      }))
    },
    count: stats,
    lists: async () => lists.current(),
    change: lists.change,
    close: async () => process.close(),
  }
}

const ACCEPTED = 'accepted '
const DUPLICATE = 'duplicate '

/** Of counts by `outcome class`; a duplicate is neither. */
export function outcomesOf(events: Iterable<readonly [string, number]>): Pick<RelayFigures, 'accepted' | 'refused'> {
  let [accepted, refused] = [0, 0]
  for (const [name, count] of events) {
    if (name.startsWith(ACCEPTED)) accepted += count
    else if (!name.startsWith(DUPLICATE)) refused += count
  }
  return { accepted, refused }
}
