// Exports and imports whose state the test sets.
import { moveBusy, moveEnded, moveFileUnusable } from '../../src/daemons/errors.js'
import type { EventFile, ExportOrder, Move, Moves } from '../../src/relay/console/index.js'
import { DAY, MINUTE, NOON } from './till-builders.js'

export const FOLDER = '/var/lib/grinpay-relay/event-files'

export const aFile = (name: string, change: Partial<EventFile> = {}): EventFile => ({
  ...{ name, bytes: 48_211_004, modifiedAt: NOON - DAY, isWhole: true },
  ...change,
})

export const aMove = (change: Partial<Move> = {}): Move => ({
  ...{ id: String(NOON), kind: 'export', file: 'events-20261123-115900.jsonl', by: 'anna', startedAt: NOON - MINUTE },
  ...{ endedAt: null, state: 'running', events: 30_000, bytes: 12_000_000, totalEvents: 120_000, totalBytes: null },
  ...{ result: null, problem: null },
  ...change,
})

export const anImport = (change: Partial<Move> = {}, text = 'blocked: this relay accepts public notes only'): Move =>
  aMove({
    ...{ kind: 'import', file: 'strfry.jsonl', events: 30_000, bytes: 25_000_000, totalEvents: null },
    totalBytes: 100_000_000,
    result: {
      ...{ lines: 30_000, stored: 29_000, known: 700, outdated: 100, refused: 200 },
      reasons: { [text]: 150, 'invalid: not JSON': 50 },
      examples: [{ line: 17, id: '', reason: text }],
    },
    ...change,
  })

export interface FakeMoves extends Moves {
  movesNow: Move[]
  filesNow: EventFile[]
  isCutNow: boolean
  markNow: number
  readonly done: (readonly [verb: string, what: ExportOrder | string, by: string])[]
}

export function createFakeMoves(): FakeMoves {
  const done: FakeMoves['done'][number][] = []
  const running = () => moves.movesNow.find(({ endedAt }) => endedAt === null)
  function begin(move: Move): Move {
    const before = running()
    if (before) throw moveBusy(before.kind, before.file)
    moves.movesNow = [move, ...moves.movesNow]
    return move
  }
  function file(name: string): EventFile {
    const found = moves.filesNow.find((one) => one.name === name)
    if (!found) throw moveFileUnusable(name, FOLDER, 'no regular file of this name is listed')
    return found
  }
  const moves: FakeMoves = {
    movesNow: [],
    filesNow: [aFile('strfry.jsonl')],
    isCutNow: false,
    markNow: 1,
    done,
    moves: () => moves.movesNow,
    folder: async () => ({ path: FOLDER, files: moves.filesNow, isCut: moves.isCutNow }),
    file: async (name) => file(name),
    async read(name) {
      const text = `${file(name).name}\n`
      return (async function* chunks() {
        yield Buffer.from('{"one":1}\n')
        yield Buffer.from(JSON.stringify(text))
      })()
    },
    async startExport(order, by) {
      done.push(['export', order, by])
      return begin(aMove())
    },
    async startImport(name, by) {
      done.push(['import', file(name).name, by])
      return begin(anImport({ file: name }))
    },
    stop(id) {
      const move = running()
      if (move?.id !== id) throw moveEnded()
      done.push(['stop', id, ''])
      const stopping = { ...move, state: 'stopping' as const }
      moves.movesNow = moves.movesNow.map((one) => (one.id === id ? stopping : one))
      return stopping
    },
    mark: () => String(moves.markNow),
  }
  return moves
}
