// What `setup pay` and the wallet commands say to a person, and ask. Ctrl-C throws the prompt's own error and nothing is written.
import * as prompts from '@inquirer/prompts'
import { mnemonicFault } from '../../grin/keychain/index.js'
import { weakPassword } from '../../grin/seedfile/index.js'
import { Secret } from '../../lib/secret.js'
import { atExit, restoringTerminal, type SystemRandom } from '../../system/index.js'
import { askForm, type SetupTerminal } from '../form.js'
import type { PayKey } from './questions.js'

const confirm = restoringTerminal(prompts.confirm)
const input = restoringTerminal(prompts.input)
const password = restoringTerminal(prompts.password)

/** A person at a terminal. */
export interface Terminal extends SetupTerminal<PayKey> {
  /** Twice, hidden. Undefined for an empty one where `mayBeEmpty`. */
  newPassword(mayBeEmpty: boolean): Promise<Secret | undefined>
  /** `mayBeEmpty`: of a file that another program sealed. */
  password(message: string, mayBeEmpty?: boolean): Promise<Secret>
  /** Existing seed words, or undefined for new ones. */
  words(message: string): Promise<Secret | undefined>
  /** Shows new words and goes on only when two of them, picked at random, are typed. */
  showWords(words: Secret, random: SystemRandom): Promise<void>
}

export const createTerminal = (): Terminal => ({
  ask: askForm,
  newPassword: askNewPassword,
  password: async (message, mayBeEmpty = false) =>
    new Secret(await password({ message, mask: true, validate: (text) => mayBeEmpty || text !== '' })),
  words: async (message) => {
    const validate = (text: string) => {
      const fault = text.trim() === '' ? undefined : mnemonicFault(text)
      return fault === undefined || `It ${fault}`
    }
    const text = (await password({ message, mask: true, validate })).trim()
    return text === '' ? undefined : new Secret(text)
  },
  showWords,
  // Its end of input is no consent: words are still to be shown.
  goOn: (message) => confirm({ message, default: true }),
})

async function askNewPassword(mayBeEmpty: boolean): Promise<Secret | undefined> {
  const hint = mayBeEmpty ? ' (Enter: a random one, kept here)' : ''
  for (;;) {
    const validate = (text: string) => (mayBeEmpty && text === '') || (weakPassword(text) ?? true)
    const first = await password({ message: `Wallet password${hint}`, mask: true, validate })
    if (first === '') return undefined
    const second = await password({ message: 'The same once more', mask: true })
    if (first === second) return new Secret(first)
    process.stderr.write('The two are not the same.\n')
  }
}

const ASKED = 2
const WORDS_A_LINE = 4

async function showWords(words: Secret, random: SystemRandom): Promise<void> {
  do await onOwnScreen(wordsText(words), () => input({ message: 'Press Enter when they are on paper' }))
  while (!(await canRepeat(words, random)))
}

/** False: they are to be shown again. */
async function canRepeat(words: Secret, random: SystemRandom): Promise<boolean> {
  const list = words.reveal().split(' ')
  for (const position of pick(list.length, random)) {
    const typed = await input({
      message: `Type word ${position + 1}`,
      transformer: (text) => '*'.repeat(text.length),
      validate: (text) =>
        ['', list[position]].includes(text.trim().toLowerCase()) ||
        'That is another word; Enter alone shows them again',
    })
    if (typed.trim() === '') return false
  }
  return true
}

/** The second screen of a terminal, which leaves nothing to scroll back to; wiped where a terminal has only one. */
const OWN_SCREEN = { open: '\x1b[?1049h\x1b[2J\x1b[H', close: '\x1b[2J\x1b[H\x1b[?1049l' }

async function onOwnScreen(text: string, work: () => Promise<unknown>): Promise<void> {
  const close = () => void process.stdout.write(OWN_SCREEN.close)
  const forget = atExit(close)
  process.stdout.write(`${OWN_SCREEN.open}${text}\n`)
  try {
    await work()
  } finally {
    forget()
    close()
  }
}

/** Different positions below `count`, in rising order. */
function pick(count: number, random: SystemRandom): readonly number[] {
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
    'Your seed words. They are the money: write them on',
    'paper now. "grinpay wallet export-seed" shows them',
    'again, for the wallet password.',
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
