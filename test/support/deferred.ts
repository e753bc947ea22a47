// A promise that a test settles (Promise.withResolvers, which Node 20 lacks).

export interface Deferred {
  readonly promise: Promise<void>
  resolve(): void
  reject(cause: Error): void
}

export function createDeferred(): Deferred {
  let [resolve, reject]: [() => void, (cause: Error) => void] = [() => {}, () => {}]
  const promise = new Promise<void>((whole, broken) => {
    resolve = whole
    reject = broken
  })
  return { promise, resolve, reject }
}
