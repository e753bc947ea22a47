// The parts of a till that exist once among its instances: they run while this process holds the lease, and are made anew each time.
import { messageOf } from '../../../lib/errors.js'
import type { SharedTill } from '../../../storage/index.js'
import { type Check, checksOf, createDaemon, type Part, type RuntimeLog } from '../../runtime.js'

/** Before the parts are started again that could not start. */
const RETRY_MS = 5000

interface RailsLeaseParts {
  readonly keepLease: SharedTill['keepLease']
  /** New parts, in start order. */
  readonly open: () => readonly Part[]
  readonly clock: { sleep(ms: number, signal?: AbortSignal): Promise<void> }
  readonly log: RuntimeLog
}

const ELSEWHERE: Check = { ok: true, detail: 'waits for the lease: another instance does this', informative: true }

export function createRailsLease({ keepLease, open, clock, log }: RailsLeaseParts): Part {
  let close = async (): Promise<void> => {}
  let running: readonly Part[] = []
  /** The parts of a lease that ended may take a while to stop. */
  let before: Promise<void> = Promise.resolve()

  /** Once, until the lease ends. Throws what a part throws that cannot start. */
  async function run(signal: AbortSignal): Promise<void> {
    const parts = open()
    const daemon = createDaemon(parts, log)
    try {
      await Promise.race([daemon.start(), aborted(signal)])
      running = parts
      await aborted(signal)
    } finally {
      running = []
      await daemon.stop()
    }
  }

  async function keepRunning(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await run(signal).catch((cause: unknown) => log.error({ cause: messageOf(cause) }, 'the rails could not start'))
      await clock.sleep(RETRY_MS, signal)
    }
  }

  return {
    name: 'rails',
    async start() {
      const keeper = keepLease('rails', ({ signal }) => {
        before = before.then(() => keepRunning(signal))
        return before
      })
      close = keeper.close
    },
    stop: () => close(),
    async check() {
      const checks = await checksOf(running)
      if (running.length === 0) return ELSEWHERE
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
