// Where questions meet a person. Ctrl-C throws the prompt's own error and nothing is written.
import * as prompts from '@inquirer/prompts'
import { DAEMONS } from '../config/index.js'
import { DAEMON_NAMES, type DaemonName } from '../lib/daemon-names.js'
import { Secret } from '../lib/secret.js'
import { wrapText } from '../lib/wrap-text.js'
import { restoringTerminal } from '../system/index.js'
import { completeAnswers, initialOf, type Known, readAnswer, secretRefusal } from './answers.js'
import { fitQuestion } from './narrow.js'
import { type Answers, type AnswersOf, type Question, type Questions, rowsOf } from './question.js'

const confirm = restoringTerminal(prompts.confirm)
const input = restoringTerminal(prompts.input)
const password = restoringTerminal(prompts.password)

export interface Asked<Key extends string> {
  readonly answers: AnswersOf<Key>
  /** Secrets that were typed, by the question that asked for them. */
  readonly typed: ReadonlyMap<Key, Secret>
}

/** A person at a terminal. */
export interface SetupTerminal<Key extends string> {
  ask(questions: Questions<Key>, known: Known<Key>): Promise<Asked<Key>>
  /** The end of input means yes, as it takes every default; not where words are still to be shown. */
  goOn(message: string): Promise<boolean>
}

/** Answers to all questions: those that were given, those of the person, if there is one, and defaults. Throws ANSWERS_WRONG. */
export async function allAnswers<Key extends string>(
  questions: Questions<Key>,
  known: Known<Key>,
  terminal: Pick<SetupTerminal<Key>, 'ask'> | undefined,
): Promise<Asked<Key>> {
  const { answers: given, typed } = (await terminal?.ask(questions, known)) ?? {
    answers: known.given,
    typed: new Map(),
  }
  return { answers: completeAnswers(questions, { ...known, given }), typed }
}

/** Asks in order what was not given. At the end of input (Ctrl-D) it stops: what is left is for `completeAnswers`. */
export async function askForm<Key extends string>(questions: Questions<Key>, known: Known<Key>): Promise<Asked<Key>> {
  let answers = known.given
  const typed = new Map<Key, Secret>()
  for (const row of rowsOf(questions)) {
    const [key, { applies, secret }] = row
    if (applies?.(answers) === false || known.given[key] !== undefined) continue
    const text = await textFor(row, answers, known)
    if (text === undefined) break
    if (text === '') continue
    if (secret === undefined) answers = { ...answers, [key]: text }
    else typed.set(key, new Secret(text))
  }
  return { answers, typed }
}

/** Empty: nothing was said. Undefined at the end of input. */
async function textFor(row: readonly [string, Question], answers: Answers, known: Known<string>) {
  const [key, question] = row
  const { asked = true } = question
  const initial = initialOf(row, answers, known)
  const isAsked = typeof asked === 'function' ? asked(known.around) : asked
  return isAsked ? ask(question, initial, known.kept?.has(key) ?? false) : (initial ?? '')
}

export const createSetupTerminal = <Key extends string>(): SetupTerminal<Key> => ({
  ask: askForm,
  goOn: async (message) => (await orEnd((context) => confirm({ message, default: true }, context))) ?? true,
})

/** Undefined at the end of input. */
const ask = (question: Question, initial: string | undefined, isKept: boolean): Promise<string | undefined> =>
  orEnd((context) => {
    const { about, secret } = question
    if (about !== undefined) process.stdout.write(`${wrapText(about, process.stdout.columns)}\n`)
    return secret
      ? askHidden(question, isKept ? 'keep the present one' : secret.enter, context)
      : askText(question, initial, context)
  })

type Context = { readonly signal: AbortSignal }

/** `hint`: what Enter means. */
async function askHidden(question: Question, hint: string, context: Context): Promise<string> {
  const validate = (text: string) => {
    const why = secretRefusal(question, text)
    return why === undefined || `It ${why}`
  }
  const shown = fitQuestion(`${question.message} (Enter: ${hint})`, undefined, process.stdout.columns)
  return (await password({ message: shown, mask: true, validate }, context)).trim()
}

/** So many wrong answers out of a few words count as none. */
const PATIENCE = 5

/** A wrong answer is taken away and the question stands again; the last of too many turns into the default. */
async function askText(question: Question, initial: string | undefined, context: Context): Promise<string> {
  const patience = question.words ? PATIENCE : Number.POSITIVE_INFINITY
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
  const message = fitQuestion(question.message, initial, process.stdout.columns)
  const start = initial === undefined ? {} : { default: initial }
  return kept(await input({ message, validate, transformer, theme, ...start }, context))
}

/** `grinpay setup` alone: which of the three? Undefined at the end of input. Ctrl-C throws the prompt's own error. */
export const askWhichSetup = (): Promise<DaemonName | undefined> =>
  orEnd((context) => {
    const choices = DAEMON_NAMES.map((value) => ({ value, name: `${value}: ${DAEMONS[value].purpose}` }))
    return restoringTerminal(prompts.select<DaemonName>)({ message: 'What shall be set up?', choices }, context)
  })

/** Asks; undefined at the end of input (Ctrl-D on an empty line, or a line that hung up), where a prompt would wait for ever. Ctrl-C throws the prompt's own error. */
async function orEnd<T>(ask: (context: { readonly signal: AbortSignal }) => Promise<T>): Promise<T | undefined> {
  const { stdin } = process
  const end = new AbortController()
  // The prompt's line reader stops its input when it ends; that it also does so after an answer does no harm.
  const onPause = () => setImmediate(() => end.abort())
  stdin.on('pause', onPause)
  stdin.on('end', onPause)
  try {
    return await ask({ signal: end.signal })
  } catch (error) {
    if (end.signal.aborted && error instanceof Error && error.name === 'AbortPromptError') return undefined
    throw error
  } finally {
    stdin.off('pause', onPause)
    stdin.off('end', onPause)
  }
}
