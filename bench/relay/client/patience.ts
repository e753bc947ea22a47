// A relay that loses something must not hold up the bench for ever.

const PATIENCE_MS = 30_000

/** A promise that is rejected when nothing resolved it in half a minute; `sofar` says how far it got. */
export const withinTime = <T>(
  sofar: () => string,
  work: (resolve: (value: T) => void, reject: (error: Error) => void) => void,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not done in ${PATIENCE_MS / 1000} s: ${sofar()}`)), PATIENCE_MS)
    const settled =
      <V>(then: (value: V) => void) =>
      (value: V): void => {
        clearTimeout(timer)
        then(value)
      }
    work(settled(resolve), settled(reject))
  })
