// Tasks in the order in which they came: first they wait, then somebody works on them, then the oldest ones are done.

/** How many finished tasks may lie at the front before they are cleared away: the array is moved that seldom. */
const LITTER = 4096

export function createTaskLine<T>() {
  const tasks: T[] = []
  // done … first, at work … given, waiting … the end
  let first = 0
  let given = 0

  return {
    add: (task: T): void => void tasks.push(task),
    waiting: (): number => tasks.length - given,
    isAtWork: (): boolean => first < given,
    isEmpty: (): boolean => first === tasks.length,
    /** The oldest one that waits. */
    next: (): T | undefined => tasks[given],
    /** The oldest one that waits is being worked on. */
    give: (): void => void given++,
    /** The oldest one that is being worked on. */
    oldest: (): T | undefined => (first < given ? tasks[first] : undefined),
    /** The oldest one is done, whether it was given to somebody or not. */
    finish(): void {
      first++
      given = Math.max(given, first)
    },
    /** Lets go of what is done. */
    clear(): void {
      if (first < tasks.length && first < LITTER) return
      tasks.splice(0, first)
      given -= first
      first = 0
    },
  }
}
