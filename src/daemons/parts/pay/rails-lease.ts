// The parts of a till that exist once among its instances: they run while this process holds the lease, and are made anew each time.
import { messageOf } from '../../../lib/errors.js'
import type { Clock } from '../../../lib/ports.js'
import type { SharedTill } from '../../../storage/index.js'
import { type Check, checksOf, createDaemon, type Part, type RuntimeLog } from '../../runtime.js'

/** A failed start is reported for so long: longer than until this process has the lease again, if no other one takes it. */
const REPORTED_MS = 15_000
/** A start that takes longer is reported. */
const START_MS = 30_000

interface RailsLeaseParts {
  readonly keepLease: SharedTill['keepLease']
  /** New parts, in start order. */
  readonly open: () => readonly Part[]
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: RuntimeLog
}

const ELSEWHERE: Check = { ok: true, detail: 'waits for the lease: another instance does this', informative: true }

/** Parts that cannot start give the lease back, so that another instance tries. */
export function createRailsLease({ keepLease, open, clock, log }: RailsLeaseParts): Part {
  let close = async (): Promise<void> => {}
  let running: readonly Part[] = []
  let held: { readonly signal: AbortSignal; readonly since: number } | undefined
  /** Of the last start, until one succeeds. */
  let failure: { readonly reason: string; readonly at: number } | undefined
  /** The parts of a lease that ended may take a while to stop. */
  let before: Promise<void> = Promise.resolve()

  /** Until the lease ends. Throws what a part throws that cannot start. */
  async function run(signal: AbortSignal): Promise<void> {
    const parts = open()
    const daemon = createDaemon(parts, log)
    try {
      await Promise.race([daemon.start(), aborted(signal)])
      if (signal.aborted) return
      running = parts
      failure = undefined
      await aborted(signal)
    } finally {
      running = []
      await daemon.stop()
    }
  }

  async function runOnce(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const now = clock.monotonic()
    held = { signal, since: now }
    if (failure && now - failure.at >= REPORTED_MS) failure = undefined
    await run(signal).catch((cause: unknown) => {
      failure = { reason: messageOf(cause), at: clock.monotonic() }
      log.error({ cause: failure.reason }, 'the rails could not start: the lease is given back')
    })
    held = undefined
  }

  /** While no part runs. */
  function idle(): Check {
    const now = clock.monotonic()
    const isHeld = held?.signal.aborted === false
    if (failure && (isHeld || now - failure.at < REPORTED_MS))
      return { ok: false, detail: `could not start: ${failure.reason}` }
    if (!held || !isHeld) return ELSEWHERE
    return { ok: now - held.since < START_MS, detail: 'has the lease: starting' }
  }

  return {
    name: 'rails',
    async start() {
      const keeper = keepLease('rails', ({ signal }) => {
        before = before.then(() => runOnce(signal))
        return before
      })
      close = keeper.close
    },
    stop: () => close(),
    async check() {
      const checks = await checksOf(running)
      if (running.length === 0) return idle()
      const bad = checks.filter(({ ok, informative }) => !ok && !informative)
      const shown = bad.length > 0 ? bad : checks
      return { ok: bad.length === 0, detail: shown.map(({ name, detail }) => `${name}: ${detail}`).join('; ') }
    },
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
