// What was opened, to be closed again in reverse order: after an orderly end and after a start that failed half-way.

/** Things to undo, newest first, each at most once; one that fails does not keep the others, and is told at the end. */
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
