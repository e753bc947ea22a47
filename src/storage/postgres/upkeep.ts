// What a running service tidies in its schema.
import { run, type Verb } from '../verbs.js'

/** Longer than a process can be asked for the changes that it remembers: see watermark.ts. */
const FORGET = `DELETE FROM written WHERE id IN (
  SELECT id FROM written WHERE at < now() - interval '30 days' ORDER BY at LIMIT ?)`

/** Forgets how old changes ended. */
export const forgetWritten = (limit: number): Verb<number> => run(FORGET, [limit])
