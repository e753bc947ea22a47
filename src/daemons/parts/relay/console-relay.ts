// The desk of the relay's pages, for a relay of this process and for one beside it.
import type { RelayFacts } from '../../../config/index.js'
import type { RelayDesk, RelaySetup } from '../../../console/index.js'
import { hostPort } from '../../../lib/url.js'
import type { SystemClock, SystemLog } from '../../../system/index.js'
import type { Part } from '../../runtime.js'
import { createLoop } from '../loop.js'
import { readDisk } from '../metrics.js'
import { createRelayHistory } from './console-history.js'
import { createListPages } from './console-lists.js'
import type { RelaySource } from './console-source.js'
import { createStoredCounts } from './console-stored.js'

interface DeskParts {
  readonly facts: RelayFacts
  readonly source: RelaySource
  readonly clock: Pick<SystemClock, 'now' | 'sleep'>
  readonly log: SystemLog
}

/** Between two readings of the counters, and between two reloads of open pages. */
const EVERY_MS = 10_000

/** `part` reads the counters of a relay of this process; it also closes the source. */
export function createRelayDesk({ facts, source, clock, log }: DeskParts): {
  readonly desk: RelayDesk
  readonly part: Part
} {
  const { dbPath } = facts
  const history = createRelayHistory()
  const counts = createStoredCounts({ dbPath, count: source.count, clock })
  const pages = createListPages(source.lists)

  async function observe() {
    const figures = await source.figures()
    if (figures) history.add(figures)
    return figures
  }

  const desk: RelayDesk = {
    setup: async () => setupOf(facts, source),
    async activity() {
      const [figures, checks, disk] = await Promise.all([observe(), source.checks(), readDisk(dbPath)])
      const now = clock.now()
      return {
        ...{ figures, checks, disk },
        unknown: figures ? '' : source.unknown,
        rate: history.rate(now),
        past: source.isBeside ? undefined : history.past(now),
      }
    },
    stored: counts.read,
    mark: () => `${Math.floor(clock.now() / EVERY_MS)} ${counts.at()}`,
    ...pages,
    change: (change, by) => source.change(change, `console: ${by}`),
  }
  const loop = createLoop({
    name: 'console-relay',
    everyMs: EVERY_MS,
    pass: async () => void (await observe()),
    sleep: clock.sleep,
    log,
  })
  return {
    desk,
    part: {
      name: 'console-relay',
      start: async (signal) => (source.isBeside ? undefined : loop.start(signal)),
      async stop() {
        if (!source.isBeside) await loop.stop()
        await counts.settled()
        await source.close()
      },
    },
  }
}

function setupOf(facts: RelayFacts, { isBeside }: RelaySource): RelaySetup {
  const { name, relayUrls, bind, dbPath, durability, retention } = facts
  const { days, maxEvents, maxBytes, keepAuthors = [], kinds = [] } = retention ?? {}
  return {
    name: name ?? null,
    addresses: relayUrls.length > 0 ? relayUrls : [hostPort(bind.host, bind.port)],
    database: dbPath,
    durability,
    retention: retention
      ? {
          ...{ days, maxEvents, maxBytes },
          kinds: kinds.map((kind) => (typeof kind === 'number' ? String(kind) : `${kind.first}-${kind.last}`)),
          keepAuthors: keepAuthors.length,
        }
      : null,
    isBeside,
  }
}
