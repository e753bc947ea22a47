// A relay with several front ends: events come back from the log of all, and so do removals, the operator's lists, and used authorizations.
import { join } from 'node:path'
import type { RelayConfig } from '../../../config/index.js'
import type { Clock } from '../../../lib/ports.js'
import type { Filter } from '../../../nostr/filter/index.js'
import type { ChangeEntry, LogSettings, PendingEvent, RelayLog, Spared } from '../../../relay/index.js'
import { type FollowedLog, openSharedLog, type SharedLog } from '../../../storage/index.js'
import {
  createDirectory,
  replaceFileForFolder,
  type SystemClock,
  type SystemLog,
  type SystemRandom,
} from '../../../system/index.js'
import type { Check, Part } from '../../runtime.js'
import { createInstancePart } from '../instance.js'
import { areEmpty } from './lists.js'
import type { SharedLists } from './shared-lists.js'

/** Entries between two digests. */
const DIGEST_EVERY = 1024
/** A front end that is further behind is not ready. */
const MOST_LAG_MS = 5000
const LOOK_MS = 200
/** The last entries that the log acknowledged to this front end. */
export const RELAY_WATERMARK = 'relay-watermark.json'

interface FollowingStore {
  readonly store: FollowedLog
  readonly lists: SharedLists
  /** Before it follows. */
  readonly hasEvents: boolean
}

export interface RelaySharedLog {
  /** Binds the log to what its entries change; for the relay. */
  logFor(to: FollowingStore): RelayLog<PendingEvent>
  readonly append: SharedLog<PendingEvent>['appendChange']
  requestRemoval(filters: readonly Filter[], spared?: Spared): Promise<number>
  claimUse(id: string, until: number): Promise<boolean>
  lagMs(): number
  /** Whether this front end applies retention. */
  retains(): boolean
  /** Says that this process runs. */
  readonly instance: Part
  /** Resolves when the process must stop for good. */
  readonly failure: Promise<Error>
  /** Closes the log. */
  readonly part: Part
}

interface Context {
  readonly version: string
  readonly clock: SystemClock
  readonly random: SystemRandom
  readonly log: SystemLog
}

/** Throws what opening the log throws. */
export async function openRelayLog(
  place: NonNullable<RelayConfig['log']>,
  { dataDir, relay, policy, retention }: Pick<RelayConfig, 'dataDir' | 'relay' | 'policy' | 'retention'>,
  { version, clock, random, log }: Context,
): Promise<RelaySharedLog> {
  const { patienceMs, days } = place
  await createDirectory(dataDir, 0o700)
  const watermarkFile = { path: join(dataDir, RELAY_WATERMARK), replace: replaceFileForFolder }
  const shared = await openSharedLog<PendingEvent>({
    place,
    clock,
    random,
    log,
    patienceMs,
    days,
    version,
    watermarkFile,
  })
  const used = createUsedIds(clock)
  let bound: FollowingStore | undefined
  let removed = 0

  function reported({ store }: { readonly store: FollowedLog }): void {
    const { pos, digest } = store.position()
    if (pos % DIGEST_EVERY === 0) shared.report({ pos, digest })
  }

  async function applyChange({ change, ...mark }: ChangeEntry): Promise<void> {
    if (!bound) throw new Error('the log is followed before its store')
    const { store, lists } = bound
    if (change.type === 'remove') removed = await store.removeAt(mark, change.filters, change.spared)
    else if (change.type === 'lists') {
      const ids = await lists.apply(change, mark.at)
      if (ids.length > 0) await store.removeAt(mark, [{ ids, tags: [] }])
      else store.advance(mark)
    } else if (change.type === 'used') {
      used.record(change)
      store.advance(mark)
    } else store.advance(mark, change.settings)
    reported(bound)
  }

  /** The front end that started last says how all decide. */
  async function announce(signal: AbortSignal): Promise<void> {
    const { giftWrapRecipientDelete } = relay.limits
    const settings: LogSettings = { giftWrapRecipientDelete }
    while (!signal.aborted) {
      if (shared.lagMs() === 0) {
        const current = bound?.store.position().settings
        if (current?.giftWrapRecipientDelete === giftWrapRecipientDelete) return
        if (current) log.warn({ giftWrapRecipientDelete }, 'the other front ends follow this setting from now on')
        await shared.appendChange({ type: 'settings', settings }).catch(() => undefined)
      }
      await clock.sleep(LOOK_MS, signal)
    }
  }

  let announced: Promise<void> = Promise.resolve()
  const ended = new AbortController()

  return {
    append: shared.appendChange,
    lagMs: shared.lagMs,
    retains: () => shared.holds('retention'),
    failure: shared.failure,
    instance: createInstancePart({
      ...{ instances: shared.instances, daemon: 'relay', version, clock, log },
      alike: settingsInCommon({ relay, policy, retention }),
    }),
    logFor(to) {
      bound = to
      return {
        append: shared.append,
        follow({ applyEvents, failed }) {
          const { store, lists, hasEvents } = to
          const follower = {
            applyEvents(entry: Parameters<typeof applyEvents>[0]) {
              const problem = applyEvents(entry)
              if (!problem) reported(to)
              return problem
            },
            applyChange,
            failed,
          }
          const isEmpty = !hasEvents && areEmpty(lists.current())
          shared.follow(store.position().pos, follower, { ...store.membership(), isEmpty, bind: store.bind })
        },
      }
    },
    async requestRemoval(filters, spared) {
      await shared.appendChange({ type: 'remove', filters, ...(spared && { spared }) })
      return removed
    },
    async claimUse(id, until) {
      const by = random.uuid()
      await shared.appendChange({ type: 'used', id, until, by })
      return used.authorOf(id) === by
    },
    part: {
      name: 'log',
      start: async () => {
        announced = announce(ended.signal)
      },
      async stop() {
        ended.abort()
        await announced
        await shared.close()
      },
      check: async () => lagCheck(shared.lagMs()),
    },
  }
}

/** What clients would notice when front ends differ in it. */
const settingsInCommon = ({
  relay,
  policy,
  retention,
}: Pick<RelayConfig, 'relay' | 'policy' | 'retention'>): Readonly<Record<string, unknown>> => ({
  'info.relay_url': relay.info.relayUrls,
  limits: relay.limits,
  'authorization and policy': { ...policy, plugin: undefined },
  retention,
})

function lagCheck(lagMs: number): Check {
  const seconds = Math.ceil(lagMs / 1000)
  return { ok: lagMs <= MOST_LAG_MS, detail: lagMs === 0 ? 'everything is applied' : `${seconds} s behind the log` }
}

// Authorization events (NIP-98) that were used at any front end, until they are too old to be used at all.

export interface UsedIds {
  /** The first record of an id counts. `until` is epoch seconds. */
  record(use: { readonly id: string; readonly until: number; readonly by: string }): void
  authorOf(id: string): string | undefined
}

/** So many are remembered before the outdated ones are looked for. */
const MANY = 10_000

/** `now` is epoch milliseconds. */
export function createUsedIds({ now }: Pick<Clock, 'now'>): UsedIds {
  const uses = new Map<string, { readonly until: number; readonly by: string }>()
  return {
    record({ id, until, by }) {
      const seconds = now() / 1000
      if (uses.size >= MANY) for (const [known, use] of uses) if (use.until < seconds) uses.delete(known)
      if (!uses.has(id)) uses.set(id, { until, by })
    },
    authorOf: (id) => uses.get(id)?.by,
  }
}
