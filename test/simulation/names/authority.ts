// The name authority of a world as a process that can be started, stopped, dropped at any step, and asked over HTTP. All of it is the product's own.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { loadNameauthConfig, openEnvironment } from '../../../src/config/index.js'
import { type NameauthOptions, type NameDaemon, openNameDaemon } from '../../../src/daemons/nameauth.js'
import { askedBy } from '../ground/asked-by.js'
import type { Chance } from '../ground/chance.js'
import { createDrowsiness } from '../ground/drowsiness.js'
import type { Process, VirtualTime } from '../ground/time.js'
import type { Trace } from '../ground/trace.js'
import { listLog, seededRandom } from './surroundings.js'

/** The answer was lost, or nothing listens. */
export class NoAnswerInWorld extends Error {}

export interface Answered {
  readonly status: number
  readonly body: string
  /** Wall clock of the authority when the request came. */
  readonly at: number
  /** Counts the lives of the process. */
  readonly life: number
}

export interface AuthorityProcess {
  readonly isRunning: boolean
  readonly skewMs: number
  readonly life: number
  /** The database of the life that runs, or ran last. */
  readonly database: string
  /** Lines of the log at the level of an error. */
  readonly errors: readonly string[]
  start(): Promise<void>
  stop(): Promise<void>
  /** Ends it where it stands: what was committed stays. */
  drop(): void
  /** The next request drops it after so many of its steps; then it is started again. */
  dropWithin(steps: number): void
  /** One request over a link with delay; throws NoAnswerInWorld. The authority may have done it all the same. */
  ask(request: InjectOptions): Promise<Answered>
  skewBy(ms: number): void
  /** Something happens: its loops wake. */
  stir(): void
}

export interface AuthorityProcessParts {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly trace: Trace
  readonly folder: string
  readonly variables: Readonly<Record<string, string>>
  readonly fetch: typeof fetch
  readonly transport: NonNullable<NonNullable<NameauthOptions['network']>['transport']>
  readonly disk: NonNullable<NameauthOptions['disk']>
}

interface Life {
  readonly daemon: NameDaemon
  readonly process: Process
  readonly app: FastifyInstance | undefined
}

/** Steps of the event loop of the world. */
const step = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

export function createAuthorityProcess(parts: AuthorityProcessParts): AuthorityProcess {
  const { time, chance, trace, folder, variables } = parts
  const errors: string[] = []
  let [lives, starts, skewMs, stepsLeft] = [0, 0, 0, 0]
  let current: Life | undefined
  let stir = (): void => undefined
  let database = join(folder, 'life-0', 'names.db')

  function nextDisk(): void {
    lives += 1
    const next = join(folder, `life-${lives}`, 'names.db')
    mkdirSync(dirname(next), { recursive: true, mode: 0o700 })
    for (const end of ['', '-wal']) if (existsSync(`${database}${end}`)) copyFileSync(`${database}${end}`, next + end)
    database = next
  }

  function drop(): void {
    if (!current) return
    current.process.isGone = true
    current = undefined
    nextDisk()
    trace.note('authority', 'dropped')
    trace.fault('drops')
  }

  async function dropSoon(steps: number): Promise<void> {
    const asked = current
    for (let taken = 0; taken < steps; taken++) await step()
    if (current !== asked) return
    trace.fault('drops × within a request')
    drop()
    // The machine starts it again.
    await time.sleep(chance.around(5000))
    await start()
  }

  async function start(): Promise<void> {
    if (current) return
    const life: Process = { name: `authority ${starts}`, skewMs, isGone: false }
    const drowsiness = createDrowsiness(time, { process: life })
    const asked = askedBy(time, life)
    stir = drowsiness.stir
    const random = seededRandom(chance.stream(`random ${starts++}`))
    let app: FastifyInstance | undefined
    await time.within(life, async () => {
      const config = loadNameauthConfig(openEnvironment({ variables: { ...variables, NAMEAUTH_NAMES_DB: database } }))
      const clock = { now: () => time.now() + life.skewMs, monotonic: () => performance.now(), sleep: drowsiness.sleep }
      const daemon = await time.hold(
        openNameDaemon(config, {
          ...{ version: '0.0.0', log: listLog(errors), clock, random, disk: parts.disk },
          network: {
            fetch: asked(parts.fetch as (url: string, init: RequestInit) => Promise<Response>) as typeof fetch,
            transport: asked(parts.transport),
            listen: (listening) => {
              app = listening
            },
          },
        }),
      )
      await time.within(life, () => daemon.start())
      if (!life.isGone) current = { daemon, process: life, app }
    })
    trace.note('authority', 'runs')
  }

  /** Rejects after 30 s. */
  function answerOf({ process, app }: Life, request: InjectOptions) {
    return new Promise<{ readonly status: number; readonly body: string }>((resolve, reject) => {
      if (!app) return reject(new NoAnswerInWorld('refused'))
      const late = setTimeout(() => reject(new NoAnswerInWorld('no answer in 30 s')), 30_000)
      void time
        .within(process, () => app.inject(request))
        .then(({ statusCode: status, body }) => resolve({ status, body }), reject)
        .finally(() => clearTimeout(late))
    })
  }

  return {
    get isRunning() {
      return current !== undefined
    },
    get skewMs() {
      return skewMs
    },
    get life() {
      return lives
    },
    get database() {
      return database
    },
    errors,
    start,
    async stop() {
      const stopping = current
      current = undefined
      if (!stopping) return
      await time.within(stopping.process, () => stopping.daemon.stop())
      stopping.process.isGone = true
      trace.note('authority', 'stopped')
    },
    drop,
    dropWithin(steps) {
      stepsLeft = steps
    },
    async ask(request) {
      await time.sleep(chance.whole(1, 120))
      const asked = current
      if (!asked) throw new NoAnswerInWorld('refused')
      const [at, life] = [time.now() + skewMs, lives]
      const answering = answerOf(asked, request)
      if (stepsLeft > 0) {
        void dropSoon(stepsLeft)
        stepsLeft = 0
      }
      const { status, body } = await answering
      await time.sleep(chance.whole(1, 120))
      if (asked.process.isGone || chance.is(0.01)) throw new NoAnswerInWorld('the answer was lost')
      return { status, body, at, life }
    },
    skewBy(ms) {
      skewMs = ms
      if (current) current.process.skewMs = ms
    },
    stir: () => stir(),
  }
}
