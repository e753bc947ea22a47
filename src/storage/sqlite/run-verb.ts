// Runs the verbs of a store on a file: at once, so that nothing comes between their statements.
import { DIALECTS, textOf } from '../dialect.js'
import { type Answer, NOTHING, type Runner, type Statement, type Verb } from '../verbs.js'
import type { Write } from './group-commit.js'
import type { Sqlite } from './sqlite.js'

/** Runs a verb to its end. One that changes something must run with the write lock held. */
export function runVerb<T>(db: Sqlite, verb: Verb<T>): T {
  let step = verb.next()
  while (!step.done) step = verb.next(answerOf(db, step.value))
  return step.value
}

function answerOf(db: Sqlite, { how, sql, values }: Statement): Answer {
  const text = textOf(sql, DIALECTS.sqlite)
  if (text === '') return NOTHING[how]
  const bound = typeof values === 'function' ? values(DIALECTS.sqlite) : values
  if (how === 'run') return db.run(text, bound)
  return how === 'get' ? db.get(text, bound) : db.all(text, bound)
}

/** Reads run when they are asked for; `write` runs what changes anything. */
export const sqliteRunner = (db: Sqlite, write: Write): Runner => ({
  read: async (verb) => runVerb(db, verb()),
  repeatable: (verb) => write(() => runVerb(db, verb())),
  change: (verb) => write(() => runVerb(db, verb())),
})
