// Answers from a file or flags: unknown keys are errors, and everything missing or wrong is said at once.
import { withoutByteOrderMark } from '../lib/plain-text.js'
import { answersWrong } from './errors.js'
import { type AnswersOf, type Question, readAnswer } from './question.js'

/** Reads the text of an answers file. Throws ANSWERS_WRONG. */
export function parseAnswers<Key extends string>(keys: readonly Key[], text: string): AnswersOf<Key> {
  const document = parseObject(text)
  const problems = Object.entries(document).flatMap(([key, value]) => {
    if (!keys.some((known) => known === key)) return [`unknown key "${key}"`]
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

/** What a question starts with: what is there already, before the built-in default. */
export const initialOf = <Key extends string>(
  question: Question<Key>,
  answers: AnswersOf<Key>,
  present: AnswersOf<Key>,
): string | undefined => present[question.key] ?? question.initial?.(answers)

type Judged = { readonly value: string | undefined } | { readonly problem: string }

/** Fills in what was not said. Throws ANSWERS_WRONG with every missing and every wrong key. */
export function completeAnswers<Key extends string>(
  questions: readonly Question<Key>[],
  given: AnswersOf<Key>,
  present: AnswersOf<Key>,
): AnswersOf<Key> {
  const problems: string[] = []
  let answers: AnswersOf<Key> = {}
  for (const question of questions) {
    const judged = judge(question, given[question.key], answers, present)
    if ('problem' in judged) problems.push(judged.problem)
    else if (judged.value !== undefined) answers = { ...answers, [question.key]: judged.value }
  }
  if (problems.length > 0) throw answersWrong(problems)
  return answers
}

function judge<Key extends string>(
  question: Question<Key>,
  said: string | undefined,
  answers: AnswersOf<Key>,
  present: AnswersOf<Key>,
): Judged {
  const { key, applies, optional = false } = question
  if (applies?.(answers) === false)
    return said === undefined ? { value: undefined } : { problem: `"${key}" does not go with the other answers` }
  const text = said ?? initialOf(question, answers, present)
  if (text === undefined) return optional ? { value: text } : { problem: `"${key}" is missing` }
  const read = readAnswer(question, text, present[key])
  return 'value' in read ? read : { problem: `"${key}" ${read.why} (got ${JSON.stringify(text)})` }
}
