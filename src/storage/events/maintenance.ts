// What a store does by itself between the changes: sweeps what has expired, indexes when nothing else is to be done, answers commands.
/** Milliseconds between two looks. */
const LOOK = 1000
/** Looks between two sweeps; looks without a change after which everything staged is indexed. */
const SWEEP_EVERY = 9
const QUIET = 5

interface Chores {
  /** Tells how many events were taken away. */
  sweep(): number
  /** Indexes a part; false: nothing is left. */
  index(): boolean
  answerRequests(): void
}

export interface Maintenance {
  /** To be told of every change. */
  changed(): void
  close(): void
}

export function startMaintenance({ sweep, index, answerRequests }: Chores): Maintenance {
  let looks = 0
  let changedAt = 0
  let busy = false

  /** One slice per turn of the loop, as long as there is something to do. */
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

/** A full disk, for one: `check` of the store tells about it, and the next look tries again. */
function tried<T>(chore: () => T): T | false {
  try {
    return chore()
  } catch {
    return false
  }
}
