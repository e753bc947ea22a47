// Clients that ask every shape of question of a stored set, one after the other, beside the flood; known answers are checked while nothing new fits.
import { setTimeout as pause } from 'node:timers/promises'
import { type Spread, spreadOf } from '../client/figures.js'
import { messageFrame } from '../client/frames.js'
import { dial } from '../client/line.js'
import { verbOf } from '../client/messages.js'
import { type Queries, type Query, SHAPES, type ShapeName } from '../data/queries.js'

export interface ShapeReport {
  readonly answered: Readonly<Record<string, number>>
  readonly ms: Readonly<Record<string, Spread>>
  readonly refused: number
  readonly faults: readonly string[]
}

const PATIENCE_MS = 30_000
const MOST_FAULTS = 20
/** Kinds of the benchmark's shapes whose answers new notes and wraps do not change. */
const SETTLED: readonly ShapeName[] = ['ids', 'thread', 'miss', 'author-kind', 'feed', 'wraps']

/** Runs until `stop`: each of `clients` connections asks one shape after the other. */
export async function askShapes(
  port: number,
  { queries, clients }: { queries: Queries; clients: number },
  stop: AbortSignal,
): Promise<ShapeReport> {
  const times: Record<string, number[]> = {}
  const faults: string[] = []
  let refused = 0

  async function live(first: number): Promise<void> {
    for (let turn = first; !stop.aborted; ) {
      const line = await dial(port).catch(() => undefined)
      if (!line) {
        refused += 1
        await pause(250)
        continue
      }
      for (; !stop.aborted && line.isOpen; turn += clients) {
        const shape = SHAPES[turn % SHAPES.length] ?? 'ids'
        const query = queries[shape][Math.floor(turn / SHAPES.length) % queries[shape].length]
        if (!query) continue
        const begun = performance.now()
        const problem = await ask(line, `q${turn}`, { shape, query })
        if (problem === undefined) times[shape] = [...(times[shape] ?? []), performance.now() - begun]
        else if (!stop.aborted && faults.length < MOST_FAULTS) faults.push(`${shape}: ${problem}`)
      }
      line.close()
    }
  }

  await Promise.all(Array.from({ length: clients }, (_, at) => live(at)))
  const entries = Object.entries(times)
  return {
    answered: Object.fromEntries(entries.map(([shape, all]) => [shape, all.length])),
    ms: Object.fromEntries(entries.map(([shape, all]) => [shape, spreadOf(all)])),
    refused,
    faults,
  }
}

/** Undefined: answered rightly, as far as that is known. */
function ask(
  line: Awaited<ReturnType<typeof dial>>,
  name: string,
  { shape, query: { filter, answer } }: { shape: ShapeName; query: Query },
): Promise<string | undefined> {
  const found: string[] = []
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(`no answer within ${PATIENCE_MS} ms`), PATIENCE_MS)
    const end = (problem?: string) => {
      clearTimeout(timer)
      resolve(problem)
    }
    void line.ended.then(() => end('the connection ended'))
    line.listen((bytes, start, stop) => {
      const verb = verbOf(bytes, start)
      if (verb === undefined || verb === 'OK' || verb === 'AUTH' || (verb === 'EVENT' && !answer)) return
      // Of an earlier subscription something may still come.
      const [, of, value] = JSON.parse(bytes.toString('utf8', start, stop)) as [string, string, { id: string }]
      if (of !== name) return
      if (verb === 'EVENT') found.push(value.id)
      else if (verb === 'CLOSED') end(`CLOSED: ${String(value)}`)
      else if (verb === 'COUNT') end()
      else if (verb === 'EOSE') {
        line.send(messageFrame('CLOSE', name))
        const isRight = !answer || !SETTLED.includes(shape) || found.join() === answer.slice(0, 500).join()
        end(isRight ? undefined : `${found.length} events, another answer than the ${answer?.length} known ones`)
      }
    })
    line.send(messageFrame(shape === 'count' ? 'COUNT' : 'REQ', name, filter))
  })
}
