// Asks the operator's program about events, one at a time, and restarts it when it fails (specification: relay, 7).
import { backoff } from '../../../lib/backoff.js'
import { plainText } from '../../../lib/plain-text.js'
import type { Clock, Log } from '../../../lib/ports.js'
import type { Decision, WriteRequest } from '../../ports.js'
import type { PolicyPlugin } from '../policy.js'
import { createLines } from './lines.js'
import type { ModifiedAt, StartProgram } from './link.js'
import { openProgramLink, type ProgramLink } from './link.js'
import { questionLine } from './protocol.js'

// Logs what a policy program writes to stderr: a limited number of lines a minute, each truncated.
const LINES_PER_MINUTE = 20
const MOST_BYTES = 1000
const MINUTE_MS = 60_000

/** Returns a function that takes chunks as they arrive. */
function createStderrLog({ clock, log }: { readonly clock: Clock; readonly log: Log }): (chunk: Buffer) => void {
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

export interface PluginParts {
  /** Read before every question: a changed command restarts the program. */
  readonly command: () => string
  /** Time limit for one answer. */
  readonly timeoutSeconds: number
  readonly start: StartProgram
  readonly modifiedAt: ModifiedAt
  readonly clock: Clock
  readonly log: Log
}

/** wire: the program failed, so the event is refused. */
const FAILED: Decision = { action: 'reject', message: 'error: internal error' }
const MOST_WAITING = 1024
/** The first failure in a row restarts at once; later ones wait. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
const GRACE_MS = 2000

interface Question {
  readonly request: WriteRequest
  readonly settle: (decision: Decision) => void
}

interface Running {
  readonly link: ProgramLink
  readonly command: string
  readonly modified: number | undefined
}

export function createPolicyPlugin(parts: PluginParts): PolicyPlugin {
  const { clock, log, modifiedAt } = parts
  const errors = createStderrLog(parts)
  const waiting: Question[] = []
  let asked: Question | undefined
  let patience: AbortController | undefined
  let running: Running | undefined
  let failures = 0
  let notBefore = 0
  let isClosed = false

  /** A command without blanks is the path of a file, which may be replaced while the relay runs. */
  const modifiedOf = (command: string): number | undefined => (/\s/.test(command) ? undefined : modifiedAt(command))

  function settle(decision: Decision): void {
    const question = asked
    asked = undefined
    patience?.abort()
    question?.settle(decision)
  }

  function broken(why: string): void {
    failures += 1
    running = undefined
    if (failures > 1) notBefore = clock.now() + backoff(failures - 1, FIRST_PAUSE_MS, LONGEST_PAUSE_MS)
    log.warn({ why, failures }, 'the policy program failed: the event is refused, the program restarts')
    settle(FAILED)
    next()
  }

  function answered(decision: Decision): void {
    failures = 0
    settle(decision)
    next()
  }

  function left(): void {
    running = undefined
  }

  function start(): Running {
    const command = parts.command()
    const modified = modifiedOf(command)
    const link = openProgramLink({ command, start: parts.start, errors, answered, broken, left })
    return { link, command, modified }
  }

  /** Returns the running program. Starts a new one when the command or its file changed. */
  function wanted(): Running {
    const isCurrent = running && running.command === parts.command() && running.modified === modifiedOf(running.command)
    if (running && isCurrent) return running
    if (running) void endKindly(running.link, clock)
    return start()
  }

  function next(): void {
    if (asked || waiting.length === 0) return
    // A clock set back must not keep the program stopped.
    const isPausing = clock.now() < notBefore && notBefore - clock.now() <= LONGEST_PAUSE_MS
    if (isPausing) refuseAll()
    else asked = waiting.shift()
    if (asked) put(asked.request)
  }

  function put(request: WriteRequest): void {
    const over = new AbortController()
    patience = over
    running = wanted()
    const { link } = running
    link.ask(request.event.id, questionLine(request))
    void clock.sleep(parts.timeoutSeconds * 1000, over.signal).then(() => {
      if (over.signal.aborted) return
      link.kill()
      broken(`no answer within ${parts.timeoutSeconds} s`)
    })
  }

  function refuseAll(): void {
    for (const { settle: refuse } of waiting.splice(0)) refuse(FAILED)
  }

  return {
    decide: (request) =>
      new Promise((resolve) => {
        if (isClosed || waiting.length >= MOST_WAITING) return resolve(FAILED)
        waiting.push({ request, settle: resolve })
        next()
      }),
    async close() {
      isClosed = true
      refuseAll()
      settle(FAILED)
      if (running) await endKindly(running.link, clock)
      running = undefined
    },
  }
}

/** Closes the program's input, and kills it after a grace period. */
async function endKindly(link: ProgramLink, clock: Clock): Promise<void> {
  const over = new AbortController()
  await Promise.race([link.end(), clock.sleep(GRACE_MS, over.signal)])
  over.abort()
  link.kill()
}
