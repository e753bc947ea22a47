// Periodic maintenance: deletes expired events, indexes while idle, answers requests of commands.
/** Milliseconds between two ticks. */
const LOOK = 1000
/** Ticks between two sweeps; ticks without a change after which everything staged is indexed. */
const SWEEP_EVERY = 9
const QUIET = 5

interface Chores {
  /** Returns the number of deleted events. */
  sweep(): number
  /** Indexes a slice; false: nothing is left. */
  index(): boolean
  answerRequests(): void
}

export interface Maintenance {
  /** Called after every change. */
  changed(): void
  close(): void
}

export function startMaintenance({ sweep, index, answerRequests }: Chores): Maintenance {
  let looks = 0
  let changedAt = 0
  let busy = false

  /** Runs one slice per turn of the event loop while there is work. */
  function work(chore: () => boolean): void {
    busy = true
    setImmediate(() => {
      busy = tried(chore)
      if (busy) work(chore)
    })
  }

  function look(): void {
    looks++
    if (busy) return
    tried(answerRequests)
    if (looks % SWEEP_EVERY === 0) work(() => sweep() > 0)
    else if (looks - changedAt >= QUIET) work(index)
  }

  const timer = setInterval(look, LOOK).unref()
  return {
    changed() {
      changedAt = looks
    },
    close: () => clearInterval(timer),
  }
}

/** Ignores failures such as a full disk: `check` of the store reports them, and the next tick retries. */
function tried<T>(chore: () => T): T | false {
  try {
    return chore()
  } catch {
    return false
  }
}
