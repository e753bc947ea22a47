// One running policy program: reads its answers, detects invalid answers, floods and exits.

import { objectOf, parseJson } from '../../../lib/parse-json.js'
import type { Decision, WriteRequest } from '../../ports.js'
import { createLines } from './lines.js'

// A program of the operator, as the relay sees it.

export interface ProgramHandlers {
  readonly output: (chunk: Buffer) => void
  readonly errors: (chunk: Buffer) => void
  /** Called once, also when the program did not start. `how` is for the log. */
  readonly exit: (how: string) => void
}

export interface PolicyProgram {
  /** Never fails: a program that does not read, or has exited, shows in other ways. */
  write(text: string): void
  /** Closes its input; a well-behaved program then exits. */
  end(): void
  /** Kills the program and its child processes. */
  kill(): void
}

/** Runs `sh -c command`. Never throws, and calls no handler before it returns. */
export type StartProgram = (command: string, handlers: ProgramHandlers) => PolicyProgram

/** Modification time of the file in milliseconds; undefined when it does not exist. */
export type ModifiedAt = (path: string) => number | undefined

interface ProgramLinkParts {
  readonly command: string
  readonly start: StartProgram
  readonly errors: (chunk: Buffer) => void
  /** Called with the answer to the pending question. */
  readonly answered: (decision: Decision) => void
  /** Called at most once when the program is unusable, with the reason. */
  readonly broken: (why: string) => void
  /** Called when the program exits without a pending question, which is no fault. */
  readonly left: () => void
}

export interface ProgramLink {
  ask(eventId: string, line: string): void
  /** Resolves when the program has exited. No callback runs afterwards. */
  end(): Promise<void>
  kill(): void
}

/** Bytes between two answers that are not an answer, such as debug output. */
const MOST_NOISE = 65_536

export function openProgramLink({ command, start, errors, answered, broken, left }: ProgramLinkParts): ProgramLink {
  let asked: string | undefined
  let noise = 0
  let isOver = false
  let gone: () => void = () => undefined
  const isGone = new Promise<void>((resolve) => {
    gone = resolve
  })

  function fail(why: string): void {
    if (isOver) return
    isOver = true
    program.kill()
    broken(why)
  }

  function read(line: string): void {
    if (isOver) return
    const answer = parsePluginAnswer(line, asked ?? '')
    if (answer === 'noise') return
    if (answer === 'lie' || asked === undefined) fail('its answer is none to the question')
    else {
      asked = undefined
      noise = 0
      answered(answer)
    }
  }

  const lines = createLines({
    most: MOST_ANSWER,
    line: read,
    tooLong: () => fail(`its answer is longer than ${MOST_ANSWER} bytes`),
  })

  function output(chunk: Buffer): void {
    if (isOver) return
    noise += chunk.length
    lines.take(chunk)
    if (noise > MOST_NOISE) fail('it writes without being asked')
  }

  function exit(how: string): void {
    gone()
    if (isOver) return
    if (asked !== undefined) fail(`it ended (${how})`)
    else {
      isOver = true
      left()
    }
  }

  const program: PolicyProgram = start(command, { output, errors, exit })
  return {
    ask(eventId, line) {
      asked = eventId
      program.write(line)
    },
    end() {
      isOver = true
      program.end()
      return isGone
    },
    kill() {
      isOver = true
      program.kill()
    },
  }
}

// The protocol between relay and policy program: one JSON object per line (specification: relay, 7).

/** Limit of an answer in bytes. */
const MOST_ANSWER = 8192

/** The question about an event, as a line. */
export function questionLine({ event, source, authed, receivedAt }: WriteRequest): string {
  const key = authed.includes(event.pubkey) ? event.pubkey : authed[0]
  const question = { type: 'new', event, receivedAt, sourceType: source.type, sourceInfo: source.info }
  return `${JSON.stringify(key === undefined ? question : { ...question, authed: key })}\n`
}

/** The first word of every refusal is for programs (NIP-01). */
const PREFIX = /^[a-z][a-z-]*: /

const withPrefix = (message: string): string =>
  message === '' || PREFIX.test(message) ? message : `blocked: ${message}`

/** `noise`: not JSON, to be skipped. `lie`: JSON, but not an answer to this question. */
function parsePluginAnswer(line: string, eventId: string): Decision | 'noise' | 'lie' {
  const parsed = parseJson(line)
  if (parsed === undefined) return 'noise'
  const { id, action, msg } = objectOf(parsed)
  if (id !== eventId) return 'lie'
  const message = typeof msg === 'string' ? msg : ''
  if (action === 'reject') return { action, message: withPrefix(message) }
  return action === 'accept' || action === 'shadowReject' ? { action } : 'lie'
}
