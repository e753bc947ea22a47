// What the pages of a console cost: time of an answer, bytes on the wire, and how long a page holds the event loop of its daemon.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { openConsoleStore } from '../src/storage/index.js'
import { type Measurement, median } from './measurement.js'
import { processorMsOf } from './process.js'

const ROUNDS = 5
/** Per session and minute the console answers 120. */
const REQUESTS = 100

const BARS = { p99Ms: 30, bytes: 60_000, stepMs: 20 } as const

export interface BenchPage {
  readonly what: string
  /** Below /console; asked in turns. */
  readonly paths: readonly string[]
}

export interface BenchConsole {
  readonly url: string
  readonly pid: number
  /** A new session. */
  cookie(): Promise<string>
  /** Since the last question, milliseconds. */
  longestStep(): Promise<number>
}

interface ConsoleParts {
  readonly pid: number
  readonly port: number
  /** Path of console.db. */
  readonly sessions: string
  /** Of `watching`. */
  readonly steps: string
}

export const benchConsole = ({ pid, port, sessions, steps }: ConsoleParts): BenchConsole => ({
  url: `http://127.0.0.1:${port}/console`,
  pid,
  cookie: () => newSession(sessions, port),
  async longestStep() {
    process.kill(pid, 'SIGUSR2')
    for (let turn = 0; turn < 100 && !existsSync(steps); turn++) await pause(20)
    const longest = Number(JSON.parse(readFileSync(steps, 'utf8')))
    rmSync(steps)
    return longest
  },
})

/** An option of Node that lets a process write, at SIGUSR2, for how long its event loop stood still at the most since the last time. */
export const watching = (file: string): string =>
  `--import=data:text/javascript,${encodeURIComponent(
    `import{monitorEventLoopDelay as m}from'node:perf_hooks';import{renameSync as r,writeFileSync as w}from'node:fs';const h=m({resolution:1});h.enable();process.on('SIGUSR2',()=>{w(${JSON.stringify(`${file}.new`)},JSON.stringify(h.max/1e6));r(${JSON.stringify(`${file}.new`)},${JSON.stringify(file)});h.reset()})`,
  )}`

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A signed-in operator, as a sign-in link makes one. */
async function newSession(path: string, port: number): Promise<string> {
  const store = await openConsoleStore({ path })
  const [token, cookie, now] = [
    randomBytes(32).toString('base64url'),
    randomBytes(32).toString('base64url'),
    Date.now(),
  ]
  const link = {
    hash: sha256(token),
    name: 'bench',
    purpose: 'sign-in',
    role: 'operator',
    createdAt: now,
    expiresAt: now + 60_000,
    spentAt: null,
  } as const
  await store.addLink(link)
  const id = randomBytes(6).toString('hex')
  await store.spendLink(link.hash, { id, hash: sha256(cookie), now, address: '127.0.0.1', browser: 'bench' })
  await store.close()
  return `grinpay-${port}=${cookie}`
}

/** Each page in several rounds; `about` stands before what is measured. */
export async function measurePages(
  about: string,
  pages: readonly BenchPage[],
  console: BenchConsole,
): Promise<Measurement[]> {
  const results: Measurement[] = []
  for (const { what, paths } of pages) results.push(...rowsOf(`${about}: ${what}`, await roundsOf(paths, console)))
  return results
}

/** After what a start does in the background; what a page is compared with. */
export async function idleStep(about: string, console: BenchConsole): Promise<Measurement> {
  await pause(2000)
  await console.longestStep()
  await pause(3000)
  return { what: `${about}: longest step of the event loop, idle`, value: await console.longestStep(), unit: 'ms' }
}

interface Answer {
  readonly ms: number
  readonly bytes: number
}

/** By the clock of the client, with head and body. */
export async function ask(url: string, cookie: string): Promise<Answer> {
  const start = performance.now()
  const answer = await fetch(url, { headers: { cookie, accept: 'text/html' } })
  const body = await answer.arrayBuffer()
  const ms = performance.now() - start
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${Buffer.from(body).toString().slice(0, 400)}`)
  const head = [...answer.headers].reduce((sum, [header, value]) => sum + header.length + value.length + 4, 17)
  return { ms, bytes: head + body.byteLength }
}

interface Round {
  readonly p50: number
  /** Processor time of the daemon, all its threads, for one answer. */
  readonly processorMs: number
  readonly p99: number
  readonly bytes: number
  readonly stepMs: number
  /** Most processor time of the event loop's thread for one answer: no step of it is longer, however busy the machine is. */
  readonly ownMs: number
}

/** One request after the other; each round with a session of its own. */
async function roundsOf(paths: readonly string[], console: BenchConsole): Promise<readonly Round[]> {
  const rounds: Round[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const cookie = await console.cookie()
    await console.longestStep()
    const before = processorMsOf(console.pid)
    const answers: Answer[] = []
    const ownMs: number[] = []
    for (let i = 0; i < REQUESTS; i++) {
      const start = eventLoopMsOf(console.pid)
      answers.push(await ask(`${console.url}${paths[i % paths.length]}`, cookie))
      ownMs.push(eventLoopMsOf(console.pid) - start)
    }
    const times = answers.map(({ ms }) => ms).sort((a, b) => a - b)
    const processorMs = (processorMsOf(console.pid) - before) / REQUESTS
    rounds.push({
      processorMs,
      p50: median(times),
      p99: times[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN,
      bytes: Math.max(...answers.map(({ bytes }) => bytes)),
      ownMs: Math.max(...ownMs),
      stepMs: await console.longestStep(),
    })
  }
  return rounds.slice(1) // the first one warms up
}

/** Of the thread with the event loop, since its start. */
const eventLoopMsOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

/** What a page does by itself it does in every round: beside other work on the machine the quietest round tells it. */
function rowsOf(page: string, rounds: readonly Round[]): readonly Measurement[] {
  const middle = (of: (round: Round) => number) => median(rounds.map(of))
  const least = (of: (round: Round) => number) => Math.min(...rounds.map(of))
  const row = (what: string, value: number, unit: string, atMost: number): Measurement => ({
    what: `${page}${what}`,
    value,
    unit,
    target: { of: 'value', atMost },
  })
  return [
    { what: page, value: middle(({ p50 }) => p50), unit: 'ms p50' },
    { what: `${page}: processor`, value: middle((round) => round.processorMs), unit: 'ms each' },
    row(
      ': p99 of the quietest round',
      least(({ p99 }) => p99),
      'ms',
      BARS.p99Ms,
    ),
    row(
      ': longest step of the event loop, quietest round',
      least(({ stepMs }) => stepMs),
      'ms',
      BARS.stepMs,
    ),
    row(
      ': most processor time of the event loop for one answer, quietest round',
      least(({ ownMs }) => ownMs),
      'ms',
      BARS.stepMs,
    ),
    row(': on the wire', Math.max(...rounds.map(({ bytes }) => bytes)), 'bytes', BARS.bytes),
  ]
}
