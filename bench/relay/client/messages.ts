// What a relay's message is, told from its first bytes, without parsing it.

export type Verb = 'EVENT' | 'OK' | 'EOSE' | 'CLOSED' | 'NOTICE' | 'COUNT' | 'AUTH' | 'NEG'

const LETTERS: Readonly<Record<string, Verb>> = {
  EV: 'EVENT',
  OK: 'OK',
  EO: 'EOSE',
  CL: 'CLOSED',
  NO: 'NOTICE',
  CO: 'COUNT',
  AU: 'AUTH',
  NE: 'NEG',
}
const codeOf = (first: number, second: number): number => (first << 8) | second
const VERBS = new Map(
  Object.entries(LETTERS).map(([letters, verb]) => [codeOf(letters.charCodeAt(0), letters.charCodeAt(1)), verb]),
)

/** `["EV…`: the letters stand at the third and fourth byte. */
export const verbOf = (bytes: Buffer, start: number): Verb | undefined =>
  VERBS.get(codeOf(bytes[start + 2]!, bytes[start + 3]!))

const OK_ID_AT = '["OK","'.length
/** Enough of an id to tell events of one run apart. */
export const KEY_LENGTH = 16

/** The first letters of the id that an OK is about. */
export const keyOfOk = (bytes: Buffer, start: number): string =>
  bytes.toString('latin1', start + OK_ID_AT, start + OK_ID_AT + KEY_LENGTH)

const TRUE_AT = OK_ID_AT + 64 + 2
/** `true` stands right behind the id. */
export const isAccepted = (bytes: Buffer, start: number): boolean => bytes[start + TRUE_AT] === 't'.charCodeAt(0)
