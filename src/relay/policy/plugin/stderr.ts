// Logs what a policy program writes to stderr: a limited number of lines a minute, each truncated.
import { plainText } from '../../../lib/plain-text.js'
import type { Clock, Log } from '../../ports.js'
import { createLines } from './lines.js'

const LINES_PER_MINUTE = 20
const MOST_BYTES = 1000
const MINUTE_MS = 60_000

/** Returns a function that takes chunks as they arrive. */
export function createStderrLog({ clock, log }: { readonly clock: Clock; readonly log: Log }): (chunk: Buffer) => void {
  let began = clock.now()
  let logged = 0

  function logLine(text: string): void {
    const now = clock.now()
    if (now < began || now - began >= MINUTE_MS) {
      const dropped = logged - LINES_PER_MINUTE
      if (dropped > 0) log.warn({ dropped }, 'lines of the policy program were not logged')
      began = now
      logged = 0
    }
    logged += 1
    if (logged <= LINES_PER_MINUTE) log.warn({ says: plainText(text) }, 'the policy program')
  }

  const lines = createLines({
    most: MOST_BYTES,
    line: (text) => text.trim() !== '' && logLine(text),
    tooLong: () => logLine('(a line too long to be logged)'),
  })
  return (chunk) => lines.take(chunk)
}
