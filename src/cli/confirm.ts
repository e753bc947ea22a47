// Typed confirmations: a word that says what is about to happen, never just "y".
import { needsConfirmation, notConfirmed } from './errors.js'
import { canAsk } from './terminal.js'

export interface Confirmation {
  /** What is about to happen, as in "deleting x". */
  readonly what: string
  /** What must be typed. */
  readonly word: string
  readonly yes: boolean
  readonly noInput: boolean
}

/** Resolves when confirmed. Throws NEEDS_CONFIRMATION, NOT_CONFIRMED; Ctrl-C throws the prompt's own error. */
export async function confirm({ what, word, yes, noInput }: Confirmation): Promise<void> {
  if (yes) return
  if (!canAsk(noInput)) throw needsConfirmation(what)
  const { input } = await import('@inquirer/prompts')
  const typed = await input({ message: `${what}: type "${word}" to go on` }, { output: process.stderr })
  if (typed.trim() !== word) throw notConfirmed(word)
}
