// Exports and imports of the console: one at a time, each in a thread, with the last results.
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { messageOf } from '../../../../lib/errors.js'
import { startWorker } from '../../../../lib/start-worker.js'
import type { ExportOrder, Move, Moves } from '../../../../relay/console/index.js'
import { createDirectory, type SystemClock, type SystemLog } from '../../../../system/index.js'
import { moveBusy, moveEnded, moveStopping, moveUnwritable } from '../../../errors.js'
import { filterOf } from '../../../relay-filter.js'
import type { Part } from '../../../runtime.js'
import {
  eventFolder,
  findFile,
  listFolder,
  newName,
  readChunks,
  removeLeftOvers,
  requireEvents,
} from './event-files.js'
import type { MoveTask } from './messages.js'
import { createJob, type MoveJob } from './move-job.js'

/** Of the relay whose events are moved. */
interface MovePlaces {
  readonly dbPath: string
  /** Of the running relay, on this machine. */
  readonly url: string
  readonly maxMessageBytes: number
}

export interface MovesParts {
  /** Throws CONSOLE_RELAY_UNREACHABLE. */
  readonly places: () => MovePlaces
  readonly clock: Pick<SystemClock, 'now'>
  readonly log: SystemLog
  /** A form waits so long for what keeps a job from beginning; later it is on the page. Default: 3 seconds. */
  readonly patienceMs?: number
}

const KEPT = 10
/** Between two reloads of open pages. */
const MARK_MS = 3000

/** Stopping the part ends the job under way cleanly: an unfinished export is removed. */
export function createMoves({ places, clock, log, patienceMs = 3000 }: MovesParts): {
  readonly moves: Moves
  readonly part: Part
} {
  let current: MoveJob | undefined
  let isStarting = false
  let isStopping = false
  let ended: readonly Move[] = []

  const folderNow = (): string => eventFolder(places().dbPath)

  function onEnd(move: Move): void {
    current = undefined
    const { kind, file, by, state, events, problem } = move
    const facts = { kind, file, by, events, ...(problem && { cause: problem.text }) }
    if (state === 'failed') log.warn(facts, 'moving events failed')
    else log.info(facts, state === 'done' ? 'events were moved' : 'moving events was stopped')
    ended = [move, ...ended].slice(0, KEPT)
  }

  /** Throws CONSOLE_MOVE_BUSY, CONSOLE_MOVE_STOPPING. */
  async function starting(work: () => Promise<MoveJob>): Promise<Move> {
    if (isStopping) throw moveStopping()
    if (current) throw moveBusy(current.view().kind, current.view().file)
    if (isStarting) throw moveBusy('export or import', 'it begins just now')
    isStarting = true
    try {
      const job = await work()
      await Promise.race([job.begun, setTimeout(patienceMs, undefined, { ref: false })])
      return job.view()
    } finally {
      isStarting = false
    }
  }

  function begin(file: string, by: string, task: MoveTask): MoveJob {
    if (isStopping) throw moveStopping()
    const worker = startWorker(import.meta.url, 'move', JSON.stringify(task))
    const job = createJob({ id: String(clock.now()), kind: task.kind, file, by, worker, clock, onEnd })
    current = job
    return job
  }

  async function beginExport({ kinds, since, until }: ExportOrder, by: string): Promise<MoveJob> {
    const { dbPath } = places()
    const filter = filterOf({ kinds, since, until })
    const folder = await folderFor(dbPath)
    const { files } = await listFolder(folder)
    await removeLeftOvers(folder, files, clock.now())
    const file = await newName(folder, clock.now())
    return begin(file, by, { kind: 'export', dbPath, filter, path: join(folder, file) })
  }

  async function beginImport(name: string, by: string): Promise<MoveJob> {
    const { dbPath, url, maxMessageBytes } = places()
    const folder = eventFolder(dbPath)
    const file = await findFile(folder, name)
    await requireEvents(folder, file)
    return begin(name, by, { kind: 'import', path: join(folder, name), url, maxMessageBytes })
  }

  const moves: Moves = {
    moves: () => (current ? [current.view(), ...ended] : ended),
    folder: async () => listFolder(folderNow()),
    file: async (name) => findFile(folderNow(), name),
    async read(name) {
      const folder = folderNow()
      return readChunks(folder, await findFile(folder, name))
    },
    startExport: (order, by) => starting(() => beginExport(order, by)),
    startImport: (name, by) => starting(() => beginImport(name, by)),
    stop(id) {
      if (current?.view().id !== id) throw moveEnded()
      current.stop()
      return current.view()
    },
    mark() {
      const { id, state, startedAt, endedAt } = current?.view() ?? ended[0] ?? NONE
      return `${id} ${state} ${endedAt === null ? Math.floor((clock.now() - startedAt) / MARK_MS) : ''}`
    },
  }

  async function stopAll(): Promise<void> {
    isStopping = true
    current?.stop()
    await current?.ended
  }

  return {
    moves,
    part: {
      name: 'console-moves',
      /** The relay hangs up on an import while the daemon stops, so the import stops before. */
      async start(signal) {
        signal.addEventListener('abort', () => void stopAll(), { once: true })
      },
      stop: stopAll,
    },
  }
}

const NONE = { id: '', state: 'done', startedAt: 0, endedAt: 0 }

/** Throws CONSOLE_MOVE_UNWRITABLE. */
async function folderFor(dbPath: string): Promise<string> {
  const folder = eventFolder(dbPath)
  try {
    await createDirectory(folder, 0o700)
    return folder
  } catch (thrown) {
    throw moveUnwritable(folder, messageOf(thrown))
  }
}
