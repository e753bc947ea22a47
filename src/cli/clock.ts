// The real clock and the stop signals, for commands: they may not reach into the ground themselves.
import { onStopSignal, type SystemClock, systemClock } from '../system/index.js'
import { parseDuration } from './values.js'

export const openClock = (): SystemClock => systemClock

/** The moment a duration ago, as ISO text. Throws USAGE. */
export const sinceMoment = (duration: string, clock: SystemClock = systemClock): string =>
  new Date(clock.now() - parseDuration(duration) * 1000).toISOString().replace(/\.\d{3}Z$/, 'Z')

/** `done` resolves at the first stop signal, or when `stop` is called. */
export function stopSignal(): { readonly done: Promise<void>; readonly stop: () => void } {
  let finish: () => void = () => undefined
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  const forget = onStopSignal(() => finish())
  return { done: done.finally(forget), stop: () => finish() }
}
