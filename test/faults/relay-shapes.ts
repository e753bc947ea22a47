// What clients of the load ask, with those questions among it that reader threads answer.
import type { Filter } from './relay-line.js'
import type { RelayLog } from './relay-log.js'
import { type Society, sampleOf, sha256 } from './relay-people.js'

const oneOf = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)]!
const keysOf = (people: readonly { readonly pubkey: string }[]): readonly string[] => people.map(({ pubkey }) => pubkey)

/** Authors without events. With so many of them a question has enough ranges for a reader thread. */
const UNKNOWN = Array.from({ length: 190 }, (_, at) => sha256(`unknown author ${at}`).toString('hex'))
const NOTE = 1
const MOST = 500

type Shape = (society: Society, log: RelayLog) => readonly Filter[]

const authorsOf = ({ writers }: Society): readonly string[] => [...keysOf(writers), ...UNKNOWN]

/** Each of them is searched in hundreds of ranges. */
export const DEAR: readonly ((society: Society) => readonly Filter[])[] = [
  (society) => [{ kinds: [NOTE], authors: authorsOf(society), limit: 100 }],
  (society) => [{ kinds: [NOTE], authors: authorsOf(society), limit: MOST }],
  (society) => [{ kinds: [0, NOTE, 7, 10_002], authors: authorsOf(society), limit: 200 }],
  (society) => [
    { kinds: [NOTE], '#t': ['t1', 't2', ...UNKNOWN], limit: 150 },
    { authors: authorsOf(society), limit: 60 },
  ],
  (society) => [{ kinds: [0, 10_002, 30_078], authors: authorsOf(society), limit: MOST }],
]

const SHAPES: readonly Shape[] = [
  ({ recipients }) => [{ kinds: [1059], '#p': [oneOf(recipients).pubkey] }],
  ({ writers }) => [{ authors: [oneOf(writers).pubkey], kinds: [0, NOTE], limit: 40 }],
  (_, log) => [{ ids: sampleOf(log.recent, 20).map(({ id }) => id) }],
  () => [
    { '#t': ['t1', 't2'], limit: 60 },
    { kinds: [5], limit: 10 },
  ],
  () => [{ limit: 100 }],
  () => [{ limit: MOST }],
  () => [{ kinds: [NOTE], limit: 100 }],
  (_, log) => [{ kinds: [7, 1111], '#e': sampleOf(log.recent, 1).map(({ id }) => id) }],
  () => [{ ids: [oneOf(UNKNOWN)] }],
]

export const dearQuestion = (society: Society): readonly Filter[] => oneOf(DEAR)(society)

/** Half of them dear. */
export const someQuestion = (society: Society, log: RelayLog): readonly Filter[] =>
  Math.random() < 0.5 ? dearQuestion(society) : oneOf(SHAPES)(society, log)
