import type { Process, VirtualTime } from './time.js'

/** Ways to the outside for a process: what it asks for when it is gone never happens, and no answer reaches it then. */
export const askedBy =
  (time: VirtualTime, process: Process) =>
  <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) =>
  (...args: Args): Promise<T> =>
    new Promise((resolve, reject) => {
      if (process.isGone) return
      const end = (settle: () => void): void => {
        if (!process.isGone) time.within(process, settle)
      }
      call(...args).then(
        (value) => end(() => resolve(value)),
        (thrown: unknown) => end(() => reject(thrown)),
      )
    })
