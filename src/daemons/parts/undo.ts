// Closes what was opened in reverse order: after a normal end and after a failed start.

/** Undo steps, newest first, each run at most once. A failing step does not stop the others; its error is thrown at the end. */
export function createUndo() {
  const steps: (() => Promise<void>)[] = []
  let undone: Promise<void> | undefined
  const run = async () => {
    const failures: unknown[] = []
    for (const step of steps.reverse()) await step().catch((failure: unknown) => failures.push(failure))
    if (failures.length > 0) throw failures[0]
  }
  return {
    add: (step: () => Promise<void>): void => void steps.push(step),
    all: (): Promise<void> => {
      undone ??= run()
      return undone
    },
  }
}

export type Undo = ReturnType<typeof createUndo>
