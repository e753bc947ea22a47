// Taking names over in a test: from which file, what came of it, and everything that a store then holds.
import { onTestFinished } from 'vitest'
import { isValidName, shapeOf } from '../../src/authority/names/rules.js'
import {
  formatNameRow,
  type ImportChange,
  type ImportOutcome,
  type OpenNameStore,
  openNameSource,
  openNameStore,
} from '../../src/storage/index.js'
import { MINUTE, NOON } from './till-builders.js'

/** When imports happen. */
export const LATER = NOON + 10 * MINUTE

/** A store that is closed when the test is over. */
export async function openStoreAt(path: string): Promise<OpenNameStore> {
  const opened = await openNameStore({ path, now: () => NOON })
  onTestFinished(() => opened.close())
  return opened
}

export async function takeOver(
  into: OpenNameStore,
  path: string,
  over: Partial<ImportChange> = {},
): Promise<ImportOutcome> {
  const source = await openNameSource(path)
  const isName = (name: string) => isValidName(name, { nameMin: 3, nameMax: 20 })
  try {
    return await into.importNames(source.rows, { reason: 'old.db', now: LATER, isName, shapeOf, ...over })
  } finally {
    source.close()
  }
}

/** The kinds of which there was anything. */
export const some = (outcome: ImportOutcome, which: 'added' | 'known') =>
  outcome.outcome === 'imported'
    ? Object.fromEntries(Object.entries(outcome[which]).filter(([, count]) => count > 0))
    : outcome

export const whys = (outcome: ImportOutcome): readonly string[] =>
  outcome.outcome === 'conflicts' ? outcome.conflicts.map(({ place, what }) => `${place}: ${what}`) : ['no conflict']

/** Every row as its line. */
export async function everything(from: OpenNameStore): Promise<string[]> {
  const lines: string[] = []
  for await (const row of from.rows()) lines.push(formatNameRow(row))
  return lines
}
