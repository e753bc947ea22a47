// Periodic maintenance: deletes expired events, indexes while idle, answers requests of commands.
/** Milliseconds between two ticks. */
const TICK_MS = 1000
/** Ticks between two sweeps; ticks without a change after which everything staged is indexed. */
const SWEEP_EVERY = 9
const QUIET = 5
/** Slices of the search index per tick while events arrive: about a tenth of the time. */
const SEARCH_SLICES = 25

interface MaintenanceTasks {
  /** Returns the number of deleted events. */
  sweep(): number
  /** Indexes a slice; false: nothing is left. */
  index(): boolean
  /** The same for the search index, which may be behind, new, or switched off. */
  indexSearch(): boolean
  answerRequests(): void
}

export interface Maintenance {
  /** Called after every change. */
  changed(): void
  close(): void
}

export function startMaintenance({ sweep, index, indexSearch, answerRequests }: MaintenanceTasks): Maintenance {
  let ticks = 0
  let changedAt = 0
  let busy = false

  /** Runs one slice per turn of the event loop while there is work. */
  function work(task: () => boolean): void {
    busy = true
    setImmediate(() => {
      busy = tryTask(task)
      if (busy) work(task)
    })
  }

  function tick(): void {
    ticks++
    if (busy) return
    tryTask(answerRequests)
    if (ticks % SWEEP_EVERY === 0) work(() => sweep() > 0)
    else if (ticks - changedAt >= QUIET) work(() => index() || indexSearch())
    else work(sliceOfSearch())
  }

  function sliceOfSearch(): () => boolean {
    let left = SEARCH_SLICES
    return () => left-- > 0 && indexSearch()
  }

  const timer = setInterval(tick, TICK_MS).unref()
  return {
    changed() {
      changedAt = ticks
    },
    close: () => clearInterval(timer),
  }
}

/** Ignores failures such as a full disk: `check` of the store reports them, and the next tick retries. */
function tryTask<T>(task: () => T): T | false {
  try {
    return task()
  } catch {
    return false
  }
}
