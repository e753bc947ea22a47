// A relay of another process on this machine, as the console sees it: its metrics, its readiness, and the files beside its database.
import { statSync } from 'node:fs'
import type { RelayFacts } from '../../../config/index.js'
import { requestBounded } from '../../../lib/http-request.js'
import { objectOf, parseJson } from '../../../lib/parse-json.js'
import { foreignText } from '../../../lib/plain-text.js'
import { localHostPort } from '../../../lib/url.js'
import { listsTooLong, type RelayCheck, type RelayFigures } from '../../../relay/console/index.js'
import { openEventCounter } from '../../../storage/index.js'
import type { SystemClock } from '../../../system/index.js'
import type { RelayReads } from './console-relay.js'
import { createLatest } from './latest.js'
import { type ListStore, listsFile, openListStore } from './lists.js'
import { figuresIn } from './metrics-page.js'

interface BesideParts {
  readonly facts: Pick<RelayFacts, 'bind' | 'metricsBind' | 'dbPath'>
  readonly clock: SystemClock
}

const BOUNDS = { timeoutMs: 1000, mostBytes: 512 * 1024 }
const TIMES = { everyMs: 2000, patienceMs: 15 }
/** Reading more would hold up the event loop of the till. About 6,000 entries. */
const MOST_LIST_BYTES = 1024 * 1024

/** Nothing is read before a page asks. */
export function readRelayBeside({ facts, clock }: BesideParts): RelayReads {
  const { bind, metricsBind, dbPath } = facts
  let counter: ReturnType<typeof openEventCounter> | undefined
  const lists = createListFile(dbPath, clock)
  const ready = `http://${localHostPort(bind.host, bind.port)}/ready`
  const metrics = metricsBind && `http://${localHostPort(metricsBind.host, metricsBind.port)}/metrics`
  const shared = <T>(ask: () => Promise<T>) => createLatest({ ask, ...TIMES, clock })
  return {
    isBeside: true,
    unknown: metrics
      ? 'The metrics of the relay do not answer: only stored figures are shown.'
      : 'Only stored figures are shown. For connections, events per second and queues set metrics.bind in the settings of the relay.',
    figures: shared(async () => (metrics === undefined ? undefined : await askFigures(metrics, clock))),
    checks: shared(() => askChecks(ready)),
    async count() {
      counter ??= openEventCounter(dbPath)
      return (await counter).count()
    },
    lists: async () => (await lists.store()).read(),
    async change(change, by) {
      await (await lists.store()).change(change, by)
    },
    close: async () => (await counter)?.close(),
  }
}

async function askFigures(url: string, clock: SystemClock): Promise<RelayFigures | undefined> {
  try {
    const { status, text } = await requestBounded({ url, ...BOUNDS })
    return status === 200 ? figuresIn(text, clock.now()) : undefined
  } catch {
    return undefined // the page says so
  }
}

async function askChecks(url: string): Promise<readonly RelayCheck[] | undefined> {
  try {
    const { text } = await requestBounded({ url, ...BOUNDS })
    const { checks } = objectOf(parseJson(text))
    return Array.isArray(checks) ? checks.map(checkOf) : undefined
  } catch {
    return undefined
  }
}

function checkOf(value: unknown): RelayCheck {
  const { name, status, since } = objectOf(value)
  const at = Date.parse(foreignText(since))
  return {
    name: foreignText(name),
    ok: status === 'ok',
    detail: '',
    since: Number.isNaN(at) ? null : at,
    informative: false,
  }
}

/** The lists of the file, read again when it changes. Throws DOCUMENT_DAMAGED, CONSOLE_RELAY_LISTS. */
function createListFile(dbPath: string, clock: SystemClock) {
  let open: Promise<ListStore> | undefined
  let seen = ''
  const path = listsFile(dbPath)

  return {
    async store(): Promise<ListStore> {
      const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
      if (bytes > MOST_LIST_BYTES) throw listsTooLong(path)
      open ??= openListStore({ dbPath, clock }).catch((thrown: unknown) => {
        open = undefined // the next page tries again
        throw thrown
      })
      const store = await open
      const stamp = store.stamp()
      if (stamp !== seen) await store.reload()
      seen = stamp
      return store
    },
  }
}
