// Untrusted JSON: unreadable text and missing members are undefined.

/** Undefined for what is no JSON. The caller bounds the length of the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The members of an object or a list; none of anything else. */
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

/** The members of an object; none of anything else, a list included. */
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  Array.isArray(value) ? {} : membersOf(value)

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of UTF-8 bytes, a byte order mark included. Throws TypeError for bytes that no text has. */
export const strictText = (bytes: Uint8Array): string => STRICT_UTF8.decode(bytes)

/** Undefined for what is no JSON in UTF-8: bytes that no text has are not repaired, and a byte order mark is no JSON. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(strictText(bytes))
  } catch {
    return undefined
  }
}

// The one reader of JSON whose numbers must not be rounded: amounts beyond 2^53, prices, and what is signed as it was sent.
// Our own, because JSON.parse rounds before anybody can look, and the libraries for it (lossless-json) accept a member that comes twice
// with equal values: two readers could pick different ones.
/** What a reader makes of the text of a number, and how strictly it reads. */
export interface JsonRules<N> {
  numberOf(token: string): N
  /**
   * For documents of machines that we asked, and of wallets: as JSON.parse reads them, the last of equal members and lone surrogates
   * included. Without it both are refused, and so is what is nested deeper than 32 levels.
   */
  readonly isLenient?: boolean
}

export type JsonOf<N> = null | boolean | string | N | readonly JsonOf<N>[] | { readonly [member: string]: JsonOf<N> }

const STRICT_DEPTH = 32
/** Recursion must end before the stack does. */
const LENIENT_DEPTH = 1000
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const SPACE = /[ \t\n\r]*/y
const PLAIN_STRING = /"[^"\\\p{Cc}]*"/uy
const STRING = /"(?:[^"\\]|\\.)*"/sy // what it may hold is checked by JSON.parse
const WORDS: readonly (readonly [string, null | boolean])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/** Reads one JSON value. Throws SyntaxError, which says where. */
export function readExactJson<N>(source: string, rules: JsonRules<N>): JsonOf<N> {
  const reader = new ExactReader(source, rules)
  return reader.document()
}

/** A text, and how far it is read. */
class ExactReader<N> {
  readonly #source: string
  readonly #rules: JsonRules<N>
  readonly #mostDepth: number
  #at = 0

  constructor(source: string, rules: JsonRules<N>) {
    this.#source = source
    this.#rules = rules
    this.#mostDepth = rules.isLenient ? LENIENT_DEPTH : STRICT_DEPTH
  }

  document(): JsonOf<N> {
    const value = this.#value(0)
    if (this.#next() !== '') this.#fail('the end')
    return value
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const text = pattern.exec(this.#source)?.[0]
    if (text !== undefined) this.#at += text.length
    return text
  }

  /** The next character that is no space, '' at the end; it stays unread. */
  #next(): string {
    if (this.#source.charCodeAt(this.#at) <= 0x20) this.#match(SPACE)
    return this.#source.charAt(this.#at)
  }

  #fail(wanted: string): never {
    const isOver = this.#at >= this.#source.length
    throw new SyntaxError(isOver ? `it ends where ${wanted} should be` : `${wanted} expected at character ${this.#at}`)
  }

  #value(depth: number): JsonOf<N> {
    if (depth > this.#mostDepth) throw new SyntaxError(`it is nested deeper than ${this.#mostDepth} levels`)
    const first = this.#next()
    if (first === '{') return this.#object(depth + 1)
    if (first === '[') return this.#array(depth + 1)
    if (first === '"') return this.#string()
    const word = WORDS.find(([text]) => this.#source.startsWith(text, this.#at))
    if (!word) return this.#rules.numberOf(this.#match(NUMBER) ?? this.#fail('a value'))
    this.#at += word[0].length
    return word[1]
  }

  #string(): string {
    const plain = this.#match(PLAIN_STRING)
    if (plain !== undefined) return plain.slice(1, -1)
    return this.#escapes(this.#match(STRING) ?? this.#fail('a string'))
  }

  /** A lone surrogate has no UTF-8 form: it would change on its way through the store. */
  #escapes(quoted: string): string {
    try {
      const text: unknown = JSON.parse(quoted)
      if (typeof text === 'string' && (this.#rules.isLenient || !/\p{Surrogate}/u.test(text))) return text
    } catch {
      // falls through to the same refusal: an escape that JSON does not have
    }
    throw new SyntaxError(`a string with a bad escape ends at character ${this.#at}`)
  }

  #array(depth: number): JsonOf<N> {
    const items: JsonOf<N>[] = []
    this.#at += 1
    if (this.#next() === ']') this.#at += 1
    else
      do items.push(this.#value(depth))
      while (this.#isFollowed(']'))
    return items
  }

  #object(depth: number): JsonOf<N> {
    const members: Record<string, JsonOf<N>> = Object.create(this.#rules.isLenient ? Object.prototype : null)
    this.#at += 1
    if (this.#next() === '}') this.#at += 1
    else
      do this.#member(members, depth)
      while (this.#isFollowed('}'))
    return members
  }

  #member(members: Record<string, JsonOf<N>>, depth: number): void {
    if (this.#next() !== '"') this.#fail('a string')
    const name = this.#string()
    if (!this.#rules.isLenient && name in members)
      throw new SyntaxError(`the member "${name.slice(0, 40)}" is there twice`)
    if (this.#next() !== ':') this.#fail('":"')
    this.#at += 1
    const value = this.#value(depth)
    if (name !== '__proto__') members[name] = value
    else Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true })
  }

  /** True after a comma, false after the closing bracket. */
  #isFollowed(close: string): boolean {
    const mark = this.#next()
    if (mark !== ',' && mark !== close) this.#fail(`"," or "${close}"`)
    this.#at += 1
    return mark === ','
  }
}

const WHOLE = /^-?\d+$/

/** Like JSON.parse, but integers beyond 2^53 come back as bigint. Throws SyntaxError. */
export function parseExact(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  return readExactJson<number | bigint>(text, { isLenient: true, numberOf: exactOf })
}

function exactOf(token: string): number | bigint {
  const value = Number(token)
  return Number.isSafeInteger(value) || !WHOLE.test(token) ? value : BigInt(token)
}

/** Like JSON.parse, but every number comes back as its own text. Throws SyntaxError. */
export const parseNumbersAsText = (text: string): unknown =>
  readExactJson(text, { isLenient: true, numberOf: (token) => token })

const RAW = Symbol('raw number')

/** A number that is not an exactly held whole number (`1e3`, `1.0`, `-0`, 2^53 and above): its text as it was sent. */
export interface RawNumber {
  readonly [RAW]: string
}

export const rawNumber = (text: string): RawNumber => ({ [RAW]: text })

/** Whether a value is a number that only its text describes. */
export const isRawNumber = (value: unknown): value is RawNumber =>
  typeof value === 'object' && value !== null && RAW in value

/** The number as it was sent. */
export const rawText = (value: RawNumber): string => value[RAW]
