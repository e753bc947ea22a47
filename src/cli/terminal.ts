// A person at the terminal, or a program: who reads, who may be asked, and typed confirmations.
import { needsConfirmation, notConfirmed } from './errors.js'

export interface Ends {
  readonly stdin: { readonly isTTY?: boolean }
  readonly stdout: { readonly isTTY?: boolean; readonly columns?: number }
}

/** Commands ask only when stdin and stdout are terminals and --no-input is absent. */
export const canAsk = (noInput: boolean, ends: Ends = process): boolean =>
  !noInput && ends.stdin.isTTY === true && ends.stdout.isTTY === true

/** Columns of the terminal (some do not know, and say 0), or undefined when a program reads. */
export const terminalWidth = ({ stdout }: Ends = process): number | undefined =>
  stdout.isTTY === true ? stdout.columns || 80 : undefined

interface ConfirmFlags {
  readonly yes: boolean
  readonly 'no-input': boolean
}

/**
 * `what` is about to happen, as in "deleting x": asks for a word that names it, never just "y"; resolves when it is typed. Throws
 * NEEDS_CONFIRMATION, NOT_CONFIRMED; Ctrl-C throws the prompt's own error.
 */
export async function confirm(what: string, word: string, { yes, 'no-input': noInput }: ConfirmFlags): Promise<void> {
  if (yes) return
  if (!canAsk(noInput)) throw needsConfirmation(what)
  const { input } = await import('@inquirer/prompts')
  const { restoringTerminal } = await import('../system/index.js')
  const typed = await restoringTerminal(input)(
    { message: `${what}: type "${word}" to go on` },
    { output: process.stderr },
  )
  if (typed.trim() !== word) throw notConfirmed(word)
}

// Colour for the words that a person looks for. Only on a terminal; Node's own rules decide there: NO_COLOR, FORCE_COLOR, TERM=dumb.

export type Tint = 'green' | 'yellow' | 'red' | 'dim'

const CODES: Readonly<Record<Tint, readonly [on: number, off: number]>> = {
  green: [32, 39],
  yellow: [33, 39],
  red: [31, 39],
  dim: [2, 22],
}

interface ColourEnd {
  readonly isTTY?: boolean
  readonly hasColors?: () => boolean
}

const wantsColour = (end: ColourEnd): boolean => end.isTTY === true && end.hasColors?.() === true

/** The text in a colour, or as it is where none is wanted. */
export function paint(text: string, tint: Tint | undefined, end: ColourEnd = process.stdout): string {
  if (tint === undefined || text === '' || !wantsColour(end)) return text
  const [on, off] = CODES[tint]
  return `\u001b[${on}m${text}\u001b[${off}m`
}

/** The tint of a status, wherever it is shown. */
const STATUS_TINTS: Readonly<Record<string, Tint>> = {
  open: 'yellow',
  paid: 'yellow',
  confirmed: 'green',
  expired: 'dim',
  cancelled: 'dim',
  received: 'yellow',
  replied: 'yellow',
  seen: 'yellow',
  mined: 'yellow',
  abandoned: 'red',
  pending: 'yellow',
  delivered: 'green',
}

export const statusTint = (status: string): Tint | undefined => STATUS_TINTS[status]
