// What the two setups share: an answer per flag, and the program that their unit starts.
import { fileURLToPath } from 'node:url'
import { Flags } from '@oclif/core'

/** A flag for one question; the key in an answers file is the same with underscores. */
export const answerFlag = (description: string, helpValue: string) =>
  Flags.string({ description, helpValue, helpGroup: 'ANSWERS' })

/** Of these flags, those that were given, by the keys of an answers file. */
export function answersIn(
  answerFlags: object,
  flags: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const given = Object.keys(answerFlags).flatMap((name) => {
    const value = flags[name]
    return typeof value === 'string' ? [[name.replaceAll('-', '_'), value]] : []
  })
  return Object.fromEntries(given)
}

/** This very installation; `root` is the folder of the package. */
export const programOf = (root: string) => ({
  node: process.execPath,
  script: fileURLToPath(new URL('../../bin/run.js', import.meta.url)),
  root,
})
