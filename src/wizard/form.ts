// Where questions meet a person. Ctrl-C throws the prompt's own error and nothing is written.
import * as prompts from '@inquirer/prompts'
import { Secret } from '../lib/secret.js'
import { wrapText } from '../lib/wrap-text.js'
import { restoringTerminal } from '../system/index.js'
import { initialOf } from './answers.js'
import { orEnd } from './end-of-input.js'
import { fitQuestion } from './narrow.js'
import { type AnswersOf, type Question, readAnswer } from './question.js'

const confirm = restoringTerminal(prompts.confirm)
const input = restoringTerminal(prompts.input)
const password = restoringTerminal(prompts.password)

/** What is known before anybody is asked. */
export interface Known<Key extends string> {
  /** Said beforehand: not asked again. */
  readonly given: AnswersOf<Key>
  /** What questions start with, before their own defaults. */
  readonly present: AnswersOf<Key>
  /** Secrets that stay when nothing is typed. */
  readonly kept?: ReadonlySet<Key>
}

export interface Asked<Key extends string> {
  readonly answers: AnswersOf<Key>
  /** Secrets that were typed, by the question that asked for them. */
  readonly typed: ReadonlyMap<Key, Secret>
}

/** A person at a terminal. */
export interface SetupTerminal<Key extends string> {
  ask(questions: readonly Question<Key>[], known: Known<Key>): Promise<Asked<Key>>
  /** The end of input means yes, as it takes every default. */
  goOn(message: string): Promise<boolean>
}

/** Asks in order what was not given. At the end of input (Ctrl-D) it stops: what is left is for `completeAnswers`. */
export async function askForm<Key extends string>(
  questions: readonly Question<Key>[],
  { given, present, kept = new Set() }: Known<Key>,
): Promise<Asked<Key>> {
  let answers: AnswersOf<Key> = given
  const typed = new Map<Key, Secret>()
  for (const question of questions) {
    const { key, applies, asked } = question
    if (applies?.(answers) === false || given[key] !== undefined) continue
    const initial = initialOf(question, answers, present)
    const text = asked === false ? initial : await ask(question, initial, kept.has(key))
    if (text === undefined && asked !== false) break
    if (text === undefined || text === '') continue
    if (question.hidden === undefined) answers = { ...answers, [key]: text }
    else typed.set(key, new Secret(text))
  }
  return { answers, typed }
}

export const createSetupTerminal = <Key extends string>(): SetupTerminal<Key> => ({
  ask: askForm,
  goOn: async (message) => (await orEnd((context) => confirm({ message, default: true }, context))) ?? true,
})

/** Undefined at the end of input. */
const ask = <Key extends string>(
  question: Question<Key>,
  initial: string | undefined,
  isKept: boolean,
): Promise<string | undefined> =>
  orEnd((context) => {
    if (question.about !== undefined) process.stdout.write(`${wrapText(question.about, process.stdout.columns)}\n`)
    if (question.hidden !== undefined) return askHidden(question, isKept, context)
    return askText(question, initial, context)
  })

type Context = { readonly signal: AbortSignal }
const defaultOf = (initial: string | undefined) => (initial === undefined ? {} : { default: initial })

async function askHidden<Key extends string>(
  { message, hidden, hiddenRefusal }: Question<Key>,
  isKept: boolean,
  context: Context,
): Promise<string> {
  const hint = isKept ? 'keep the present one' : hidden
  const validate = (text: string) => {
    if (/\p{Cc}/u.test(text)) return 'It must not contain control characters'
    const why = text.trim() === '' ? undefined : hiddenRefusal?.(text.trim())
    return why === undefined || `It ${why}`
  }
  const shown = fitQuestion(`${message} (Enter: ${hint})`, undefined, process.stdout.columns)
  return (await password({ message: shown, mask: true, validate }, context)).trim()
}

/** A wrong answer is taken away and the question stands again; the last of `patience` wrong ones turns into the default. */
async function askText<Key extends string>(
  question: Question<Key>,
  initial: string | undefined,
  context: Context,
): Promise<string> {
  const { message, patience = Number.POSITIVE_INFINITY } = question
  let wrong = 0
  const hasGivenUp = () => wrong >= patience && initial !== undefined
  const validate = (text: string) => {
    const read = readAnswer(question, text, initial)
    if ('value' in read) return true
    wrong += 1
    return hasGivenUp() || `It ${read.why}`
  }
  const kept = (text: string): string => {
    if (hasGivenUp()) return initial ?? ''
    const read = readAnswer(question, text, initial)
    return 'value' in read ? read.value : text
  }
  const transformer = (text: string, { isFinal }: { isFinal: boolean }) => (isFinal ? kept(text) : text)
  const theme = { validationFailureMode: 'clear' as const }
  const shown = fitQuestion(message, initial, process.stdout.columns)
  return kept(await input({ message: shown, validate, transformer, theme, ...defaultOf(initial) }, context))
}
