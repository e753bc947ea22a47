// A name authority as an operator runs it, in a process of its own that does not expect to die.
import { type ChildProcess, spawn } from 'node:child_process'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { cleanEnvironment, freePort, ROOT } from '../support/till-process.js'
import type { Asked, Attempt, Life, Wire } from './name-log.js'

const ENTRY = join(ROOT, 'bin/run.js')
const ANSWER_MS = 20_000

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the rounds look at
  readonly json: any
}

export interface LivingAuthority {
  readonly life: Life
  readonly url: string
  readonly child: ChildProcess
  /** Until it answers; false when it died before. */
  readonly up: Promise<boolean>
  output(): string
  /** Sends it and writes down what came of it; undefined: no answer. */
  ask(asked: Asked): Promise<Answer | undefined>
  get(path: string): Promise<Answer | undefined>
  kill(): Promise<void>
  /** As systemd would. */
  stop(): Promise<void>
}

interface Start {
  readonly life: Life
  readonly settings: Readonly<Record<string, string>>
  /** What runs it instead of the shell's environment as it is, e.g. in a namespace. */
  readonly through?: readonly string[]
}

/** Starts `serve nameauth` of the build on a free port; does not wait for it. */
export async function startAuthority({ life, settings, through = [] }: Start): Promise<LivingAuthority> {
  const port = await freePort()
  const [command = process.execPath, ...args] = [...through, process.execPath, ENTRY, 'serve', 'nameauth']
  const child = spawn(command, args, {
    env: cleanEnvironment({
      NAMEAUTH_NAMES_BIND: `127.0.0.1:${port}`,
      NAMEAUTH_NAME_CHANGE_COOLDOWN_SECS: String(life.cooldownMs / 1000),
      NAMEAUTH_PAY_MODE: life.isPaid ? 'name' : 'off',
      ...settings,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => (text = (text + chunk).slice(-20_000)))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const send = (method: string, path: string, wire?: Wire) => sendOver(agent, port, { method, path, ...wire })
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal)
    await ended
    agent.destroy()
  }
  return {
    life,
    url: `http://127.0.0.1:${port}`,
    child,
    up: answering(child, () => send('GET', '/health')),
    output: () => text,
    async ask({ wire, attempts }) {
      const attempt: Attempt = { life, sentAt: Date.now(), endedAt: Infinity, status: undefined, error: undefined }
      attempts.push(attempt)
      const answer = await send(wire.method, wire.path, wire)
      attempt.endedAt = answer === 'silent' ? Infinity : Date.now()
      if (answer === undefined || answer === 'silent') return undefined
      attempt.status = answer.status
      attempt.error = answer.json?.error
      return answer
    },
    async get(path) {
      const answer = await send('GET', path)
      return answer === 'silent' ? undefined : answer
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: string | undefined
  readonly authorization?: string
}

/** Undefined: the connection was refused or broke; `silent`: it lives, and no answer came. */
const sendOver = (agent: Agent, port: number, sent: Sent): Promise<Answer | undefined | 'silent'> =>
  new Promise((resolve) => {
    const { method, path, body, authorization } = sent
    const headers = authorization === undefined ? {} : { authorization }
    const asked = request({ host: '127.0.0.1', port, method, path, agent, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', () => resolve(undefined))
      answer.on('end', () => resolve(parsed(answer.statusCode ?? 0, Buffer.concat(chunks).toString())))
    })
    asked.setTimeout(ANSWER_MS, () => {
      resolve('silent')
      asked.destroy()
    })
    asked.on('error', () => resolve(undefined))
    asked.end(body)
  })

/** An answer that is cut off in the middle is none. */
function parsed(status: number, text: string): Answer | undefined {
  try {
    return { status, json: JSON.parse(text) }
  } catch {
    return undefined
  }
}

async function answering(child: ChildProcess, health: () => Promise<unknown>): Promise<boolean> {
  for (let tries = 0; tries < 2000 && child.exitCode === null && child.signalCode === null; tries++) {
    const answer = await health()
    if (typeof answer === 'object') return true
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return false
}
