// Answers: out of a file or flags, out of present settings, and into new ones. What is missing or wrong is said at once.
import { refusalForSetting, remarkForSetting } from '../config/index.js'
import { withoutByteOrderMark } from '../lib/plain-text.js'
import { isPortable } from './env-file.js'
import { answersWrong } from './errors.js'
import {
  type Answers,
  type AnswersOf,
  type Around,
  type Found,
  type Question,
  type Questions,
  rowsOf,
  type Schema,
  type SecretAnswer,
  type Texts,
} from './question.js'

/** Reads the text of an answers file. Throws ANSWERS_WRONG. */
export function parseAnswers<Key extends string>(questions: Questions<Key>, text: string): AnswersOf<Key> {
  const document = parseObject(text)
  const problems = Object.entries(document).flatMap(([key, value]) => {
    if (!Object.hasOwn(questions, key)) return [`unknown key "${key}"`]
    return typeof value === 'string' ? [] : [`"${key}" must be a text`]
  })
  if (problems.length > 0) throw answersWrong(problems)
  return document
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(withoutByteOrderMark(text))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // the same answer as for every other text that is no object
  }
  throw answersWrong(['the answers must be a JSON object'])
}

const SCHEMA: Schema = { refusal: refusalForSetting, isPortable }
const CONTROL = /\p{Cc}/u

/** The answer as it is kept, or why it is refused; `present`: the value that stays where nothing else is said. No setting takes control characters: they would end a line of a file. */
export function readAnswer(
  { tidy = (text) => text, rule, setting = '', unset, isStrict }: Question,
  said: string,
  present?: string,
): { readonly value: string } | { readonly why: string } {
  if (CONTROL.test(said)) return { why: 'must not contain control characters' }
  const value = tidy(said.trim())
  const judge = rule ?? ((text) => (text === unset ? undefined : refusalForSetting(setting, text)))
  const isNew = value !== present?.trim()
  const why = judge(value, SCHEMA) ?? (isStrict && isNew ? remarkForSetting(setting, value) : undefined)
  return why === undefined ? { value } : { why }
}

/** What is wrong with a secret that is typed, or undefined; never quotes it. */
export const secretRefusal = ({ secret }: Question, typed: string): string | undefined => {
  if (CONTROL.test(typed)) return 'must not contain control characters'
  return typed.trim() === '' || !secret ? undefined : refusalForSetting(secret.setting, typed.trim())
}

/** What a question starts with: what is there already, before its own default. */
export const initialOf = (
  [key, { initial }]: readonly [string, Question],
  answers: Answers,
  { present, around }: Known<string>,
): string | undefined => present[key] ?? (typeof initial === 'function' ? initial(answers, around) : initial)

/** What is known before anybody is asked. */
export interface Known<Key extends string> {
  /** Said beforehand: not asked again. */
  readonly given: AnswersOf<Key>
  /** What questions start with, before their own defaults. */
  readonly present: AnswersOf<Key>
  readonly around: Around
  /** Secrets that stay when nothing is typed. */
  readonly kept?: ReadonlySet<Key>
}

type Judged = { readonly value: string | undefined } | { readonly problem: string }

/** Fills in what was not said. Throws ANSWERS_WRONG with every missing and every wrong key. */
export function completeAnswers<Key extends string>(questions: Questions<Key>, known: Known<Key>): AnswersOf<Key> {
  const problems: string[] = []
  let answers: AnswersOf<Key> = {}
  for (const row of rowsOf(questions)) {
    const judged = judge(row, known.given[row[0]], answers, known)
    if ('problem' in judged) problems.push(judged.problem)
    else if (judged.value !== undefined) answers = { ...answers, [row[0]]: judged.value }
  }
  if (problems.length > 0) throw answersWrong(problems)
  return answers
}

function judge<Key extends string>(
  row: readonly [Key, Question],
  said: string | undefined,
  answers: AnswersOf<Key>,
  known: Known<Key>,
): Judged {
  const [key, question] = row
  const { applies, optional = false } = question
  if (applies?.(answers) === false)
    return said === undefined ? { value: undefined } : { problem: `"${key}" does not go with the other answers` }
  const text = said ?? initialOf(row, answers, known)
  if (text === undefined) return optional ? { value: text } : { problem: `"${key}" is missing` }
  const read = readAnswer(question, text, known.present[key])
  return 'value' in read ? read : { problem: `"${key}" ${read.why} (got ${JSON.stringify(text)})` }
}

/** What is set up already as answers: what a reconfiguration starts with. */
export function presentAnswers<Key extends string>(
  questions: Questions<Key>,
  present: Texts,
  found: Found = {},
): AnswersOf<Key> {
  const known = rowsOf(questions).flatMap(([key, { setting = '', unset, readBack }]) => {
    const answer = readBack ? readBack(present, found) : present.get(setting) || unset
    return answer === undefined ? [] : [[key, answer]]
  })
  return Object.fromEntries(known)
}

type Writes = Readonly<Record<string, string | undefined>>

/** What only some setups have. */
interface Further {
  /** Names that a setting takes the place of. */
  readonly oldNames?: (name: string) => readonly string[]
  /** What a secret writes among the settings. */
  readonly secretWrites?: (row: readonly [string, SecretAnswer], present: Texts) => Writes
}

/** Present settings first: whatever the operator added by hand survives a reconfiguration. */
export function settingsAfter(
  questions: Questions,
  answers: Answers,
  inForce: Texts,
  { oldNames = () => [], secretWrites = () => ({}) }: Further = {},
): Map<string, string> {
  const settings = new Map(inForce)
  const writesOf = ([key, { setting, unset, secret, writes }]: readonly [string, Question]): Writes => {
    if (secret) return secretWrites([key, secret], settings)
    if (writes) return writes(answers, settings)
    return setting === undefined ? {} : { [setting]: answers[key] === unset ? undefined : answers[key] }
  }
  for (const row of rowsOf(questions))
    for (const [name, value] of Object.entries(writesOf(row))) {
      for (const old of oldNames(name)) settings.delete(old)
      setOrUnset(settings, name, value)
    }
  return settings
}

export const setOrUnset = (settings: Map<string, string>, name: string, value: string | undefined): unknown =>
  value === undefined ? settings.delete(name) : settings.set(name, value)
