// Fetches stored gift wraps of many keys page by page, backwards in time, one page at a time per connection. A relay that serves endless
// pages, or none, delays only itself.

import type { Clock } from '../../lib/ports.js'
import type { RelayClient } from './client.js'
import { KEYS_PER_FILTER, LOOK_BACK_S, PAGE_LIMIT, pageFilter, seconds } from './filters.js'
import { asksForAuth } from './frames.js'
import type { Fault } from './strikes.js'
import type { WrapOutcome } from './wrap-intake.js'

/** Keys share a job up to this many pages. Then each half gets its own job, so that spam to one key cannot hide the others. */
const PAGES_TOGETHER = 10
/** Maximum pages of one key: half a million wraps within three days. */
const PAGES_MOST = 1000
const SILENCE_MS = 30_000
const RETRY_MS = 5000
const REFUSALS_MOST = 5
/** Tolerated events beyond the limit of one page. */
const SURPLUS = 100

export interface BackfillParts {
  readonly client: RelayClient
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly deliver: (value: unknown) => WrapOutcome
  readonly isWatched: (pubkey: string) => boolean
  readonly fault: (fault: Fault) => void
  /** Reports skipped events as text for the log. */
  readonly gaveUp: (what: string) => void
}

export interface Backfill {
  add(pubkeys: Iterable<string>): void
  /** Starts pending jobs and detects timeouts. */
  tick(): void
  idle(): boolean
}

interface Job {
  readonly keys: readonly string[]
  readonly since: number
  until: number | undefined
  pages: number
  refusals: number
  notBefore: number
  /** Ids of the previous page, whose last second is requested again. */
  before: ReadonlySet<string>
}

interface Page {
  readonly sub: string
  readonly job: Job
  readonly ids: Set<string>
  fresh: number
  count: number
  oldest: number
  progressAt: number
}

export function createBackfill(parts: BackfillParts): Backfill {
  const { client, clock, deliver, isWatched, fault, gaveUp } = parts
  const wanted = new Set<string>()
  const jobs: Job[] = []
  let page: Page | undefined
  let serial = 0

  function nextJob(): Job | undefined {
    const at = jobs.findIndex(({ notBefore }) => notBefore <= clock.monotonic())
    if (at >= 0) return jobs.splice(at, 1)[0]
    const keys = firstOf(wanted, KEYS_PER_FILTER).filter(isWatched)
    return keys.length === 0 ? undefined : newJob(keys, clock.now())
  }

  function begin(job: Job): void {
    const sub = `fill-${serial++}`
    const current: Page = {
      sub,
      job,
      ids: new Set(),
      fresh: 0,
      count: 0,
      oldest: Infinity,
      progressAt: clock.monotonic(),
    }
    page = current
    client.subs.open(sub, [pageFilter(job.keys, job.since, job.until)], {
      event: (value) => received(current, value),
      eose: () => finished(current),
      closed: (text) => refused(current, text),
    })
  }

  function received(current: Page, value: unknown): boolean {
    const delivered = deliver(value)
    current.progressAt = clock.monotonic()
    if (delivered === 'no-room') return false
    if (++current.count > PAGE_LIMIT + SURPLUS) overrun(current)
    else if (typeof delivered === 'object' || delivered === 'dropped') note(current, value)
    else fault(delivered)
    return true
  }

  /** Notes dropped events too: a page full of them must not hide older events. */
  function note(current: Page, value: unknown): void {
    const stamp = stampOf(value)
    if (!stamp || current.ids.has(stamp.id)) return
    const { since, until = Infinity, before } = current.job
    if (stamp.created_at < since || stamp.created_at > until) fault('unasked')
    else {
      current.ids.add(stamp.id)
      current.oldest = Math.min(current.oldest, stamp.created_at)
      if (!before.has(stamp.id)) current.fresh++
    }
  }

  function end(current: Page): boolean {
    if (page !== current) return false
    page = undefined
    client.subs.close(current.sub)
    return true
  }

  function overrun(current: Page): void {
    fault('unasked')
    if (end(current)) start()
  }

  function finished(current: Page): void {
    if (!end(current)) return
    const { job } = current
    job.pages++
    job.refusals = 0
    if (goesOn(current)) continueWith(job)
    start()
  }

  /** A page without new events is the last one, unless a single second filled it. */
  function goesOn({ job, ids, fresh, oldest }: Page): boolean {
    if (ids.size === 0) return false
    const isStuck = fresh === 0
    if (isStuck && ids.size < PAGE_LIMIT) return false
    job.until = isStuck ? oldest - 1 : oldest
    job.before = ids
    return job.until >= job.since
  }

  function continueWith(job: Job): void {
    if (job.pages >= PAGES_TOGETHER && job.keys.length > 1) jobs.push(...halves(job))
    else if (job.pages < PAGES_MOST) jobs.push(job)
    else gaveUp('stored mail of one key has no end')
  }

  function refused(current: Page, text: string): void {
    if (page !== current) return
    page = undefined
    const { job } = current
    if (asksForAuth(text)) client.demandAuth()
    if (++job.refusals > REFUSALS_MOST) gaveUp(`stored mail was refused: ${text}`)
    else {
      job.notBefore = clock.monotonic() + RETRY_MS * 2 ** (job.refusals - 1)
      jobs.push(job)
    }
    start()
  }

  function start(): void {
    if (page) return
    const job = nextJob()
    if (job) begin(job)
  }

  return {
    add(pubkeys) {
      for (const pubkey of pubkeys) wanted.add(pubkey)
      start()
    },
    tick() {
      if (page && clock.monotonic() - page.progressAt > SILENCE_MS) {
        end(page)
        gaveUp('a question for stored mail was never answered')
        fault('silent')
      }
      start()
    },
    idle: () => page === undefined && jobs.length === 0 && wanted.size === 0,
  }
}

const newJob = (keys: readonly string[], now: number): Job => ({
  keys,
  since: seconds(now) - LOOK_BACK_S,
  until: undefined,
  pages: 0,
  refusals: 0,
  notBefore: 0,
  before: new Set(),
})

function halves(job: Job): Job[] {
  const middle = Math.ceil(job.keys.length / 2)
  return [job.keys.slice(0, middle), job.keys.slice(middle)].map((keys) => ({ ...job, keys, pages: 0 }))
}

/** Takes the first `most` out of a set. */
function firstOf(set: Set<string>, most: number): string[] {
  const out: string[] = []
  for (const item of set) {
    if (out.length >= most) break
    out.push(item)
    set.delete(item)
  }
  return out
}

/** Id and time of an event whose other members may be malformed. */
function stampOf(value: unknown): { readonly id: string; readonly created_at: number } | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('created_at' in value)) return undefined
  const { id, created_at } = value
  if (typeof id !== 'string' || id.length !== 64 || !Number.isSafeInteger(created_at)) return undefined
  return { id, created_at: Number(created_at) }
}
