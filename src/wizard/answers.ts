// Answers from a file or flags: unknown keys are errors, and everything missing or wrong is said at once.

import { answersWrong } from './errors.js'
import { ANSWER_KEYS, type AnswerKey, type Answers, QUESTIONS, type Question } from './questions.js'

const isKey = (key: string): key is AnswerKey => ANSWER_KEYS.some((known) => known === key)

/** Reads the text of an answers file. Throws ANSWERS_WRONG. */
export function parseAnswers(text: string): Answers {
  const document = parseObject(text)
  const problems = Object.entries(document).flatMap(([key, value]) => {
    if (!isKey(key)) return [`unknown key "${key}"`]
    return typeof value === 'string' ? [] : [`"${key}" must be a text`]
  })
  if (problems.length > 0) throw answersWrong(problems)
  return document
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // the same answer as for any other text that is no object
  }
  throw answersWrong(['the answers must be a JSON object'])
}

/** What a question starts with: what is there already, before the built-in default. */
export const initialOf = (question: Question, answers: Answers, present: Answers): string | undefined =>
  present[question.key] ?? question.initial?.(answers)

type Judged = { readonly value: string | undefined } | { readonly problem: string }

/** Fills in what was not said. Throws ANSWERS_WRONG with every missing and every wrong key. */
export function completeAnswers(given: Answers, present: Answers): Answers {
  const problems: string[] = []
  let answers: Answers = {}
  for (const question of QUESTIONS) {
    const judged = judge(question, given[question.key]?.trim(), answers, present)
    if ('problem' in judged) problems.push(judged.problem)
    else if (judged.value !== undefined) answers = { ...answers, [question.key]: judged.value }
  }
  if (problems.length > 0) throw answersWrong(problems)
  return answers
}

function judge(question: Question, said: string | undefined, answers: Answers, present: Answers): Judged {
  const { key, applies, optional = false, refusal } = question
  if (applies?.(answers) === false)
    return said === undefined ? { value: undefined } : { problem: `"${key}" does not go with the other answers` }
  const value = said ?? initialOf(question, answers, present)
  if (value === undefined) return optional ? { value } : { problem: `"${key}" is missing` }
  const why = refusal(value)
  return why === undefined ? { value } : { problem: `"${key}" ${why} (got "${value}")` }
}
