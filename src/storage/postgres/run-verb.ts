// Runs the verbs of a store in PostgreSQL: each statement after the answer to the one before.
import { DIALECTS, textOf } from '../dialect.js'
import { type Answer, NOTHING, type Runner, type Statement, type Verb } from '../verbs.js'
import type { Queries } from './change.js'
import type { Transactions } from './transactions.js'

/** Runs a verb to its end. One that changes something must run within a change. */
export async function runVerb<T>(db: Queries, verb: Verb<T>): Promise<T> {
  let step = verb.next()
  while (!step.done) step = verb.next(await answerOf(db, step.value))
  return step.value
}

function answerOf(db: Queries, { how, sql, values }: Statement): Answer | Promise<Answer> {
  const text = textOf(sql, DIALECTS.postgres)
  if (text === '') return NOTHING[how]
  const bound = typeof values === 'function' ? values(DIALECTS.postgres) : values
  if (how === 'run') return db.run(text, bound)
  if (how === 'get') return db.get(text, bound)
  return how === 'all' ? db.all(text, bound) : db.runReturning(text, bound)
}

/** What is wrong with a verb's arguments is said before a connection is asked for. */
export const postgresRunner = ({ read, repeatable, change }: Transactions): Runner => {
  const by =
    (transact: <T>(verb: (db: Queries) => Promise<T>) => Promise<T>) =>
    async <T>(verb: () => Verb<T>): Promise<T> => {
      let made: Verb<T> | undefined = verb()
      return transact((db) => {
        const next = made ?? verb()
        made = undefined
        return runVerb(db, next)
      })
    }
  return { read: by(read), repeatable: by(repeatable), change: by(change) }
}
