// The till of a world as a process that can be started, stopped, dropped at any moment, and asked over HTTP. All of it is the product's own.
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { loadPayConfig, openEnvironment } from '../../../src/config/index.js'
import { openPayDaemon, type PayDaemon } from '../../../src/daemons/pay.js'
import type { OpenSocket } from '../../../src/nostr/relays/index.js'
import { reservesBeside } from '../../../src/storage/index.js'
import type { SystemLog, SystemRandom } from '../../../src/system/index.js'
import type { TillParts } from '../../../src/till/index.js'
import { type Chance, createChance } from '../ground/chance.js'
import { createDrowsiness, type Drowsiness } from '../ground/drowsiness.js'
import { standInProofs } from '../ground/range-proofs.js'
import type { Process, VirtualTime } from '../ground/time.js'
import type { Trace } from '../ground/trace.js'

/** The answer was lost, or nobody listens. */
export class NoAnswerInWorld extends Error {}

export interface TillProcess {
  /** Undefined while it is down. */
  running(): PayDaemon | undefined
  start(): Promise<void>
  stop(): Promise<void>
  /** Ends it where it stands: what was committed stays. */
  drop(): void
  /** One request over a link with delay; throws NoAnswerInWorld. The till may have done it all the same. */
  ask(request: InjectOptions): Promise<{ readonly status: number; readonly body: string }>
  /** Of its wall clock, from the next start on also of a new process. */
  skewBy(ms: number): void
  snapshot(): () => void
  /** Lines of the log at the level of an error, of unexpected kind. */
  readonly errors: readonly string[]
}

export interface TillProcessParts {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly trace: Trace
  /** On a memory file system. */
  readonly folder: string
  readonly variables: Readonly<Record<string, string>>
  readonly fetch: typeof fetch
  readonly openSocket: OpenSocket
  readonly send: TillParts['send']
  /** Its loops turn as often as the product says. */
  readonly isExact: boolean
}

export function createTillProcess(parts: TillProcessParts): TillProcess {
  const { time, chance, trace, folder, variables } = parts
  const errors: string[] = []
  let lives = 0
  let starts = 0
  let skewMs = 0
  let current:
    | {
        readonly daemon: PayDaemon
        readonly process: Process
        readonly drowsiness: Drowsiness
        readonly app: () => FastifyInstance | undefined
      }
    | undefined
  let database = join(folder, 'life-0', 'pay.db')

  /** What lies on the disk when a process ends without a word: its files as they are. */
  function nextDisk(from = database): void {
    lives += 1
    const next = join(folder, `life-${lives}`, 'pay.db')
    mkdirSync(join(folder, `life-${lives}`), { recursive: true, mode: 0o700 })
    for (const end of ['', '-wal']) if (existsSync(`${from}${end}`)) copyFileSync(`${from}${end}`, `${next}${end}`)
    // 64 MiB of memory for each life would be too much.
    for (const reserve of reservesBeside(database)) rmSync(reserve, { force: true })
    database = next
  }

  async function start(): Promise<void> {
    const life: Process = { name: `till ${lives}`, skewMs, isGone: false }
    const drowsiness = createDrowsiness(time, { process: life, isExact: parts.isExact })
    let app: FastifyInstance | undefined
    const own = seeded(chance.stream(`random ${starts++}`))
    // Salts are the same in all worlds: a key is derived once for all of them.
    const salts = seeded(createChance('salts'))
    let isOpened = false
    const random: SystemRandom = {
      bytes: (length) => (isOpened ? own : salts).bytes(length),
      uuid: () => own.uuid(),
    }
    const settings = { ...variables, PAY_DB_PATH: database, PAY_DATA_DIR: join(folder, 'data') }
    await time.within(life, async () => {
      const config = loadPayConfig(openEnvironment({ variables: settings }), { allowSandbox: true })
      const clock = {
        now: () => time.now() + life.skewMs,
        monotonic: () => performance.now(),
        sleep: drowsiness.sleep,
      }
      const opening = openPayDaemon(config, {
        version: '0.0.0',
        log: logInto(errors),
        clock,
        random,
        workers: standInProofs,
        network: {
          fetch: guarded(parts.fetch as (url: string, init: RequestInit) => Promise<Response>) as typeof fetch,
          openSocket: (request, listener) => time.within(life, () => parts.openSocket(request, stirring(listener))),
          send: guarded(parts.send),
          foreign: () => undefined,
          listen: (listening) => {
            app = listening
          },
        },
      })
      const daemon = await time.hold(opening)
      isOpened = true
      if (life.isGone) return
      current = { daemon, process: life, drowsiness, app: () => app }
      await time.within(life, () => daemon.start())
    })
    trace.note('till', 'runs')

    /** What comes from a relay wakes the loops. */
    function stirring(listener: Parameters<OpenSocket>[1]): Parameters<OpenSocket>[1] {
      return {
        ...listener,
        frame(text) {
          drowsiness.stir()
          time.within(life, () => listener.frame(text))
        },
      }
    }

    /** What a process that is gone asks for never happens, and no answer reaches it. */
    function guarded<Args extends unknown[], T>(call: (...args: Args) => Promise<T>) {
      return (...args: Args): Promise<T> =>
        new Promise((resolve, reject) => {
          if (life.isGone) return
          const end = (settle: () => void): void => {
            if (!life.isGone) time.within(life, settle)
          }
          call(...args).then(
            (value) => end(() => resolve(value)),
            (thrown: unknown) => end(() => reject(thrown)),
          )
        })
    }
  }

  return {
    errors,
    running: () => current?.daemon,
    start,
    async stop() {
      const stopping = current
      current = undefined
      if (!stopping) return
      await time.within(stopping.process, () => stopping.daemon.stop())
      stopping.process.isGone = true
      trace.note('till', 'stopped')
    },
    drop() {
      if (!current) return
      current.process.isGone = true
      current = undefined
      nextDisk()
      trace.note('till', 'dropped')
      trace.fault('drops')
    },
    async ask(request) {
      await time.sleep(chance.whole(1, 120))
      const asked = current
      asked?.drowsiness.stir()
      const app = asked?.app()
      if (!asked || !app) throw new NoAnswerInWorld('refused')
      const answer = await new Promise<{ readonly status: number; readonly body: string }>((resolve, reject) => {
        const end = time.after(30_000, () => reject(new NoAnswerInWorld('no answer in 30 s')))
        void time
          .within(asked.process, () => app.inject(request))
          .then(({ statusCode: status, body }) => resolve({ status, body }), reject)
          .finally(end)
      })
      await time.sleep(chance.whole(1, 120))
      if (asked.process.isGone || chance.is(0.01)) throw new NoAnswerInWorld('the answer was lost')
      return answer
    },
    skewBy(ms) {
      skewMs = ms
      if (current) current.process.skewMs = ms
    },
    snapshot() {
      const kept = join(folder, `snapshot-${lives}-${time.now()}`, 'pay.db')
      mkdirSync(join(kept, '..'), { recursive: true, mode: 0o700 })
      for (const end of ['', '-wal'])
        if (existsSync(`${database}${end}`)) copyFileSync(`${database}${end}`, `${kept}${end}`)
      return () => nextDisk(kept)
    },
  }
}

const seeded = (chance: Chance): SystemRandom => ({ bytes: chance.bytes, uuid: chance.uuid })

function logInto(errors: string[]): SystemLog {
  const nothing = () => undefined
  const log = {
    ...{ trace: nothing, debug: nothing, info: nothing, warn: nothing, fatal: nothing, silent: nothing },
    level: 'silent',
    child: () => log,
    error: (fields: object, text: string) => void errors.push(`${text} ${JSON.stringify(fields)}`),
  }
  return log as unknown as SystemLog
}
