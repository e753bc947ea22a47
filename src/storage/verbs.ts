// A verb of a store, written once for both kinds of database: a generator that asks for one statement after the other with `yield*`, and returns
// what it found. SQLite runs it at once within the group commit (sqlite/run-verb.ts), PostgreSQL awaits each answer (postgres/run-verb.ts).
import type { Sql, Values } from './dialect.js'
import type { Row } from './sqlite/sqlite.js'

/**
 * What a verb does when it is run; by itself it does nothing. So every call that answers one is delegated with `yield*`, returned, or handed to a
 * runner: `test/architecture/verbs.test.ts` finds those that are forgotten. It catches no error of a statement.
 */
export interface Verb<T> extends Iterator<Statement, T, Answer> {
  [Symbol.iterator](): Verb<T>
}

/** One statement, and which of its answers is wanted. */
export interface Statement {
  readonly how: keyof Answers
  readonly sql: Sql
  readonly values: Values
}

interface Answers {
  /** How many rows changed. */
  readonly run: number
  readonly get: Row | undefined
  readonly all: readonly Row[]
  /** Of a statement with RETURNING: the rows that it changed. */
  readonly returning: readonly Row[]
}
export type Answer = Answers[keyof Answers]

/** What is answered to an empty statement. */
export const NOTHING: Answers = { run: 0, get: undefined, all: [], returning: [] }

/** Runs the verbs of a store on one database. The verb is made anew for every attempt. */
export interface Runner {
  /** For statements that change nothing. */
  read<T>(verb: () => Verb<T>): Promise<T>
  /** One statement that changes something, and whose repetition changes nothing more. */
  repeatable<T>(verb: () => Verb<T>): Promise<T>
  /** All of the verb or nothing of it; durable when the promise resolves. */
  change<T>(verb: () => Verb<T>): Promise<T>
}

/** An iterator that is no generator: a verb of eight statements allocates half as much. */
class Asked<T> implements Verb<T>, Statement {
  #isAsked = false

  constructor(
    readonly how: keyof Answers,
    readonly sql: Sql,
    readonly values: Values,
    readonly read: (answer: Answer) => T,
  ) {}

  [Symbol.iterator](): this {
    return this
  }

  next(answer?: Answer): IteratorResult<Statement, T> {
    if (this.#isAsked) return { done: true, value: this.read(answer) }
    this.#isAsked = true
    return { done: false, value: this }
  }
}

/** The runner answers what `how` asks for. */
const ask = <How extends keyof Answers, T>(
  how: How,
  statement: Sql,
  values: Values,
  read: (answer: Answers[How]) => T,
): Verb<T> => new Asked(how, statement, values, read as (answer: Answer) => T)

const same = <T>(answer: T): T => answer

/** Answers how many rows changed. */
export const run = (statement: Sql, values: Values = []): Verb<number> => ask('run', statement, values, same<number>)

/** The first row. */
export const get = (statement: Sql, values: Row = []): Verb<Row | undefined> =>
  ask('get', statement, values, same<Row | undefined>)

/** Every row, or what `read` makes of all of them. */
export function all(statement: Sql, values?: Row): Verb<readonly Row[]>
export function all<T>(statement: Sql, values: Row, read: (rows: readonly Row[]) => T): Verb<T>
export function all<T>(
  statement: Sql,
  values: Row = [],
  read?: (rows: readonly Row[]) => T,
): Verb<readonly Row[]> | Verb<T> {
  return read ? ask('all', statement, values, read) : ask('all', statement, values, same<readonly Row[]>)
}

/** Of a statement with RETURNING: the rows that it changed. */
export const returning = (statement: Sql, values: Row = []): Verb<readonly Row[]> =>
  ask('returning', statement, values, same<readonly Row[]>)

/** The first row, read. */
export const one = <T>(statement: Sql, values: Row, read: (row: Row) => T): Verb<T | undefined> =>
  ask('get', statement, values, (row) => (row === undefined ? undefined : read(row)))

/** Every row, read. */
export const many = <T>(statement: Sql, values: Row, read: (row: Row) => T): Verb<readonly T[]> =>
  ask('all', statement, values, (rows) => rows.map(read))

/** Whether there is a row. */
export const exists = (statement: Sql, values: Row): Verb<boolean> =>
  ask('get', statement, values, (row) => row !== undefined)
