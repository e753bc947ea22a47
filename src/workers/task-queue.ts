// Tasks in the order in which they were added: done, in progress, waiting.

/** Finished tasks at the front of the array before they are removed, so that the array is seldom moved. */
const LITTER = 4096

export function createTaskQueue<T>() {
  const tasks: (T | undefined)[] = []
  // done … first, at work … given, waiting … the end
  let first = 0
  let given = 0

  return {
    add: (task: T): void => void tasks.push(task),
    waiting: (): number => tasks.length - given,
    isAtWork: (): boolean => first < given,
    isEmpty: (): boolean => first === tasks.length,
    /** The oldest waiting task. */
    next: (): T | undefined => tasks[given],
    /** Marks the oldest waiting task as in progress. */
    dispatch: (): void => void given++,
    /** The oldest task in progress. */
    oldest: (): T | undefined => (first < given ? tasks[first] : undefined),
    /**
     * Marks the oldest task as done, in progress or not. Its place is emptied at once: from an array that has grown old, each event would follow
     * into the old generation of the heap, and a full collection would come every few seconds.
     */
    finish(): void {
      tasks[first++] = undefined
      given = Math.max(given, first)
    },
    /** Releases finished tasks. */
    clear(): void {
      if (first < tasks.length && first < LITTER) return
      tasks.splice(0, first)
      given -= first
      first = 0
    },
  }
}
