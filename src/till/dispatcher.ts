// A bounded work queue: at most `width` items run at a time, and the next starts as soon as one ends. A slow item delays no other.

export interface Work<T> {
  readonly width: number
  /** Work that could start now and does not run yet, at most `limit`. */
  readonly due: (limit: number) => Promise<readonly T[]>
  /** Handles one item, until it is off the due list. A failure ends the pass (after what runs has ended). */
  readonly run: (item: T) => Promise<void>
}

/**
 * Answers `drain`: resolves when nothing is due and nothing runs. Called while a pass runs, it makes that pass look again
 * and waits for its end.
 */
export function createDispatcher<T>({ width, due, run }: Work<T>): () => Promise<void> {
  const running = new Set<Promise<void>>()
  const failures: unknown[] = []
  let pass: Promise<void> | undefined
  let wake = () => {}
  let again = false

  const rung = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })

  async function startDue(): Promise<void> {
    again = false
    const free = width - running.size
    if (free <= 0 || failures.length > 0) return
    for (const item of await due(free)) start(item)
  }

  async function drainAll(): Promise<void> {
    for (let bell = rung(); ; bell = rung()) {
      await startDue()
      if (running.size > 0) await Promise.race([bell, ...running])
      else if (failures.length > 0) throw failures.splice(0)[0]
      else if (!again) return
    }
  }

  function start(item: T): void {
    const piece = run(item)
      .catch((cause: unknown) => void failures.push(cause))
      .finally(() => running.delete(piece))
    running.add(piece)
  }

  return () => {
    again = true
    wake()
    pass ??= drainAll().finally(() => {
      pass = undefined
    })
    return pass
  }
}
