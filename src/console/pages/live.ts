// Tells open pages that something changed: they load themselves again. One look at the store each second serves all of them.
import { setTimeout } from 'node:timers/promises'
import type { ConsoleStream } from '../area.js'

/** Where scripts do not run, a page loads itself again after so many seconds. */
export const REFRESH_SECONDS = 15

const EVERY_MS = 1000

/** Answers what was seen less than `EVERY_MS` ago, so that many pages cost one look. */
export function createWatch(look: () => Promise<string>, pause: typeof setTimeout = setTimeout) {
  let current: Promise<string> | undefined

  function mark(): Promise<string> {
    current ??= look().finally(() => {
      void pause(EVERY_MS, undefined, { ref: false }).then(() => {
        current = undefined
      })
    })
    return current
  }

  return async function* changes(signal: AbortSignal): AsyncGenerator<string> {
    let last = await mark()
    while (!signal.aborted) {
      await pause(EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined)
      const next = signal.aborted ? last : await mark()
      if (next !== last) yield next
      last = next
    }
  }
}

/** The stream that `live.js` of an open page listens to. `look` answers a text that differs once anything changed that a page could show. */
export function liveStream(path: string, look: () => Promise<string>): ConsoleStream {
  const changes = createWatch(look)
  return {
    path,
    least: 'viewer',
    async *events({ signal }) {
      for await (const data of changes(signal)) yield { event: 'change', data }
    },
  }
}
