// Policy programs as a relay meets them: written in a few lines of JavaScript, run as real processes; or played by the test itself.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ProgramParts, runPolicyProgram } from '../../src/relay/policy/index.js'
import type { PolicyProgram, ProgramHandlers, StartProgram } from '../../src/relay/policy/plugin/link.js'
import type { WriteRequest } from '../../src/relay/ports.js'

export const anId = (n: number): string => n.toString(16).padStart(64, '0')

export const aRequest = (n = 1, changes: Partial<WriteRequest> = {}): WriteRequest => ({
  event: {
    id: anId(n),
    pubkey: 'aa'.repeat(32),
    created_at: 1_800_000_000,
    kind: 1,
    tags: [],
    content: 'hello',
    sig: '00'.repeat(64),
  },
  source: { type: 'IP4', info: '203.0.113.7' },
  authed: [],
  receivedAt: 1_800_000_000,
  ...changes,
})

export interface PlayedProgram {
  readonly command: string
  /** Lines that it was asked. */
  readonly read: string[]
  says(text: string): void
  complains(text: string): void
  exits(how?: string): void
  readonly state: { killed: boolean; ended: boolean }
}

/** Programs that do what the test says, in the order in which they were started. */
export function playedPrograms(): { readonly start: StartProgram; readonly started: PlayedProgram[] } {
  const started: PlayedProgram[] = []
  const start = (command: string, handlers: ProgramHandlers): PolicyProgram => {
    const read: string[] = []
    const state = { killed: false, ended: false }
    started.push({
      command,
      read,
      state,
      says: (text) => handlers.output(Buffer.from(text)),
      complains: (text) => handlers.errors(Buffer.from(text)),
      exits: (how = 'exit code 1') => handlers.exit(how),
    })
    return {
      write: (text) => void read.push(text),
      end: () => {
        state.ended = true
      },
      kill: () => {
        state.killed = true
      },
    }
  }
  return { start, started }
}

export interface ProgramFile {
  readonly folder: string
  readonly path: string
  /** The command that runs it. */
  readonly command: string
  remove(): void
}

/** A script for node. `body` sees `answer(request, action, msg)`, `lines(callback)` and everything of node. */
export function programFile(body: string): ProgramFile {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-policy-'))
  const path = join(folder, 'policy.cjs')
  writeFileSync(path, `${PRELUDE}\n${body}\n`)
  return {
    folder,
    path,
    command: `"${process.execPath}" "${path}"`,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const PRELUDE = `
const lines = (callback) => require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => callback(JSON.parse(line)))
const answer = (request, action, msg = '') => process.stdout.write(JSON.stringify({ id: request.event.id, action, msg }) + '\\n')
`

/** What our own program answers to this input, which may come in pieces. */
export async function answersOf(
  policy: ProgramParts['policy'],
  ...pieces: readonly (string | Buffer)[]
): Promise<readonly unknown[]> {
  const written: string[] = []
  async function* input() {
    for (const piece of pieces) yield Buffer.from(piece)
  }
  await runPolicyProgram({ policy, input: input(), write: (line) => void written.push(line) })
  if (!written.every((line) => /^[^\n]+\n$/.test(line))) throw new Error('an answer is not one line')
  return written.map((line) => JSON.parse(line))
}
