// What `setup pay` and the wallet commands say to a person, and ask. Ctrl-C throws the prompt's own error and nothing is written.
import { confirm, input, password } from '@inquirer/prompts'
import { Secret } from '../lib/secret.js'
import type { Random } from '../system/index.js'
import { askForm } from './form.js'
import { type Answers, QUESTIONS } from './questions.js'

/** A person at a terminal. */
export interface Terminal {
  answers(given: Answers, present: Answers): Promise<Answers>
  /** Twice, hidden. Undefined for an empty one where `mayBeEmpty`. */
  newPassword(mayBeEmpty: boolean): Promise<Secret | undefined>
  password(message: string): Promise<Secret>
  /** Existing seed words, or undefined for new ones. */
  words(message: string): Promise<Secret | undefined>
  /** Shows new words and goes on only when two of them, picked at random, are typed. */
  showWords(words: Secret, random: Random): Promise<void>
  goOn(message: string): Promise<boolean>
}

export const createTerminal = (): Terminal => ({
  answers: async (given, present) => (await askForm(QUESTIONS, { given, present })).answers,
  newPassword: askNewPassword,
  password: async (message) => new Secret(await password({ message, mask: true, validate: (text) => text !== '' })),
  words: async (message) => {
    const text = (await password({ message, mask: true })).trim()
    return text === '' ? undefined : new Secret(text)
  },
  showWords,
  goOn: (message) => confirm({ message, default: true }),
})

async function askNewPassword(mayBeEmpty: boolean): Promise<Secret | undefined> {
  const hint = mayBeEmpty ? ' (Enter: a random one, kept here)' : ''
  for (;;) {
    const validate = (text: string) => mayBeEmpty || text !== '' || 'It must not be empty'
    const first = await password({ message: `Wallet password${hint}`, mask: true, validate })
    if (first === '') return undefined
    const second = await password({ message: 'The same once more', mask: true })
    if (first === second) return new Secret(first)
    process.stderr.write('The two are not the same.\n')
  }
}

const ASKED = 2
const WORDS_A_LINE = 4

async function showWords(words: Secret, random: Random): Promise<void> {
  const list = words.reveal().split(' ')
  process.stdout.write(`\n${wordsText(words)}\n`)
  const positions = pick(list.length, random)
  for (const position of positions) {
    await input({
      message: `Type word ${position + 1}`,
      transformer: (text) => '*'.repeat(text.length),
      validate: (text) => text.trim().toLowerCase() === list[position] || 'That is another word; look again',
    })
  }
}

/** Different positions below `count`, in rising order. */
function pick(count: number, random: Random): readonly number[] {
  const chosen = new Set<number>()
  while (chosen.size < Math.min(ASKED, count)) chosen.add((random.bytes(1)[0] ?? 0) % count)
  return [...chosen].sort((a, b) => a - b)
}

/** The words numbered, four to a line: 52 columns. */
export function wordsText(words: Secret): string {
  const cells = words
    .reveal()
    .split(' ')
    .map((word, at) => `${String(at + 1).padStart(2)} ${word.padEnd(9)}`)
  const lines: string[] = [
    'Your seed words. They are the money: write them on paper',
    'now, they are not shown again.',
    '',
  ]
  for (let at = 0; at < cells.length; at += WORDS_A_LINE)
    lines.push(
      cells
        .slice(at, at + WORDS_A_LINE)
        .join(' ')
        .trimEnd(),
    )
  return `${lines.join('\n')}\n`
}
