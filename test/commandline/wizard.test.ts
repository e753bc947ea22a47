// The wizard of the till as a person meets it: the built command on a pseudo-terminal.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'dotenv'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { atTerminal, CTRL_C, ENTER, hasPython, type Line } from '../support/person.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grinpay-wizard-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const setup = (steps: readonly Line[]) =>
  atTerminal(['setup', 'pay', '--prefix', join(folder, 'till'), '--skip-checks'], steps, { env: { HOME: folder } })

const QUESTIONS: readonly Line[] = [
  ['Public address', `https://pay.shop.example${ENTER}`],
  ['Kind of shop', ENTER],
  ['Listen on', ENTER],
  ['Grin nodes', ENTER],
  ['Currencies', ENTER],
  ['After a power cut', ENTER],
  ['grin1 address', ENTER],
  ['Wallet password', `correct horse${ENTER}`],
  ['The same once more', `correct horse${ENTER}`],
  ['Existing seed words', ENTER],
  ['Go ahead', ENTER],
]

/** Each keystroke draws the question anew; the tick says that the answer was taken. */
const TWO_WORDS: readonly Line[] = [
  ['? Type word', `{word}${ENTER}`],
  ['✔ Type word', ''],
  ['? Type word', `{word}${ENTER}`],
]

describe.skipIf(!hasPython)('setup at a terminal (needs python3)', () => {
  test('asks, shows the plan, shows the words once and asks for two of them', () => {
    const { screen, exit } = setup([...QUESTIONS, ...TWO_WORDS])
    expect({ exit, tail: screen.slice(-300) }).toMatchObject({ exit: 0 })
    const env = parse(readFileSync(join(folder, 'till', 'pay.env'), 'utf8'))
    expect(env.PAY_PUBLIC_URL).toBe('https://pay.shop.example')
    expect(readFileSync(join(folder, 'till', 'secrets', 'wallet_password'), 'utf8')).toBe('correct horse')
    expect(screen).not.toContain('correct horse')
    expect(screen).toContain('For the shop:')
    const words = [...screen.matchAll(/\b(\d{1,2}) ([a-z]{3,8})(?=\s)/g)].map(([, , word = '']) => word)
    expect(new Set(words).size).toBeGreaterThan(15)
    for (const name of readdirSync(join(folder, 'till'), { recursive: true, encoding: 'utf8' })) {
      const path = join(folder, 'till', name)
      if (statSync(path).isFile()) expect(readFileSync(path, 'utf8')).not.toContain(words.slice(0, 4).join(' '))
    }
  })

  test('Ctrl-C at the last question leaves nothing behind and ends with 130', () => {
    const { exit } = setup([...QUESTIONS, ['Type word', CTRL_C]])
    expect(exit).toBe(130)
    expect(existsSync(join(folder, 'till'))).toBe(false)
  })
})
