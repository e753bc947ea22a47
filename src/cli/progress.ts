// What a person sees while a command works: one line on stderr that goes away again. Nothing before 400 ms, and nothing for programs.
import type { SystemClock } from '../system/index.js'
import { type Ends, terminalWidth } from './terminal.js'

export interface ProgressLine {
  /** Runs `work` and shows `what`, or the text that `work` reports. Of nested runs the innermost is shown. */
  during<T>(what: string, work: (tell: (text: string) => void) => Promise<T>): Promise<T>
  /** Erases the line before other output; the next tick draws it again. */
  clear(): void
}

export interface ProgressParts {
  readonly write: (text: string) => void
  readonly clock: SystemClock
  /** Columns of the terminal. */
  readonly width: number
}

const QUIET_MS = 400
const TURN_MS = 100
const TURNS = ['|', '/', '-', '\\'] as const
/** Back to the first column, and nothing right of it. The cursor is never hidden, so Ctrl-C leaves a terminal as it was. */
const WIPE = '\r\u001b[K'

export const noProgress: ProgressLine = {
  during: (_, work) => work(() => undefined),
  clear: () => undefined,
}

export function createProgress({ write, clock, width }: ProgressParts): ProgressLine {
  const works: { text: string }[] = []
  let isDrawn = false

  function clear(): void {
    if (isDrawn) write(WIPE)
    isDrawn = false
  }

  function draw(turn: number): void {
    const text = works.at(-1)?.text ?? ''
    // A full line would break, and could not be wiped.
    write(`${WIPE}${`${TURNS[turn % TURNS.length]} ${text}`.slice(0, width - 1)}`)
    isDrawn = true
  }

  async function turning(over: AbortSignal): Promise<void> {
    await clock.sleep(QUIET_MS, over)
    for (let turn = 0; !over.aborted; turn++) {
      draw(turn)
      await clock.sleep(TURN_MS, over)
    }
  }

  return {
    clear,
    async during(what, work) {
      const mine = { text: what }
      const over = new AbortController()
      if (works.push(mine) === 1) void turning(over.signal)
      try {
        return await work((text) => {
          mine.text = text
        })
      } finally {
        works.splice(works.indexOf(mine), 1)
        over.abort()
        if (works.length === 0) clear()
      }
    },
  }
}

/** Not with --json or --quiet, not in a pipe, not with NO_COLOR. */
export async function openProgress(
  isWanted: boolean,
  ends: Ends & { readonly stderr: { readonly isTTY?: boolean } } = process,
): Promise<ProgressLine> {
  const width = terminalWidth(ends)
  if (!isWanted || width === undefined || ends.stderr.isTTY !== true) return noProgress
  const { openEnvironment } = await import('../config/index.js')
  const environment = openEnvironment()
  const isPlain = (environment.find('NO_COLOR')?.text ?? '') !== '' || environment.find('TERM')?.text === 'dumb'
  if (isPlain) return noProgress
  const { systemClock } = await import('../system/index.js')
  return createProgress({ write: (text) => void process.stderr.write(text), clock: systemClock, width })
}
