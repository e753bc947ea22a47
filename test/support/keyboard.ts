// The keyboard and the screen of a command that runs in this process (built-command.ts), as terminal.py has them for one in a process of its own.
import { PassThrough, type Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'

/** What to wait for on the screen, and what to type then. */
export type Line = readonly [waitFor: string, type: string]

export const ENTER = '\r'
export const CTRL_C = '\u0003'
export const CTRL_D = '\u0004'

/** How long a text may take to appear. */
const PATIENCE_MS = 30_000
/** Turns of the event loop in which a question that was drawn begins to listen. */
const SETTLING_TURNS = 3

export interface Keyboard {
  /** What is typed. */
  readonly stdin: Readable
  /** Something was drawn. */
  drawn(text: string): void
  /** Types the lines, each when its text is there. Resolves with the texts that never came. */
  typing: Promise<readonly string[]>
  /** The command has ended: what is not there yet never comes. */
  leave(): void
}

/** `echo` draws what a terminal shows by itself. */
export function createKeyboard(lines: readonly Line[], echo: (text: string) => void): Keyboard {
  let isRaw = false
  let isOver = false
  let screen = ''
  let look: () => void = () => undefined
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode(wanted: boolean) {
      isRaw = wanted
      return stdin
    },
  })

  /** Where it ends on the screen. */
  function appears(text: string, from: number): Promise<number | undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), PATIENCE_MS)
      look = () => {
        const at = stripVTControlCharacters(screen).indexOf(text, from)
        if (at < 0 && !isOver) return
        clearTimeout(timer)
        resolve(at < 0 ? undefined : at + text.length)
      }
      look()
    })
  }

  /** Of the word whose number is asked for, from the list of numbered words above. */
  function seedWord(): string {
    const plain = stripVTControlCharacters(screen)
    const asked = [...plain.matchAll(/Type word (\d+)/g)].at(-1)?.[1]
    const words = [...plain.matchAll(/(\d{1,2}) ([a-z]{3,8})(?=\s)/g)]
    return words.findLast(([, number]) => number === asked)?.[2] ?? '?'
  }

  /** Unless a question reads each key, the terminal itself shows what is typed. */
  function type(text: string): void {
    if (!isRaw) echo(text)
    stdin.write(text)
  }

  async function typeAll(): Promise<readonly string[]> {
    const missed: string[] = []
    let seen = 0
    for (const [text, typed] of lines) {
      const end = await appears(text, seen)
      if (end === undefined) {
        missed.push(text)
        if (!isOver) type(CTRL_C) // a question would wait for ever
        continue
      }
      seen = end
      for (let turn = 0; turn < SETTLING_TURNS; turn++) await nextTurn()
      if (isOver && typed !== '') missed.push('a reader')
      else type(typed.replace('{word}', seedWord))
    }
    return missed
  }

  return {
    stdin,
    drawn(text) {
      screen += text
      look()
    },
    typing: typeAll(),
    leave() {
      isOver = true
      look()
    },
  }
}
