// The wizard of the till as a person meets it: the built command on a terminal, once a real one.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'dotenv'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { atTerminal, atTerminalHere, CTRL_C, ENTER, hasPython, type Line } from '../support/person.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grinpay-wizard-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const command = () => ['setup', 'pay', '--prefix', join(folder, 'till'), '--skip-checks']
const setup = (steps: readonly Line[]) => atTerminalHere(command(), steps, { env: { HOME: folder } })

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
  ['Press Enter when they are on paper', ENTER],
  ['? Type word', `{word}${ENTER}`],
  ['✔ Type word', ''],
  ['? Type word', `{word}${ENTER}`],
]

describe('setup at a terminal', () => {
  test.skipIf(!hasPython)('asks, shows the plan, shows the words once and asks for two of them (needs python3)', () => {
    const { screen, exit } = atTerminal(command(), [...QUESTIONS, ...TWO_WORDS], { env: { HOME: folder } })
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

  test('the words stand on a screen of their own that is gone before they are asked for', async () => {
    const { raw } = await setup([...QUESTIONS, ...TWO_WORDS])
    const [open, close] = [raw.indexOf('\u001b[?1049h'), raw.indexOf('\u001b[?1049l')]
    const words = [...raw.slice(open, close).matchAll(/\b(\d{1,2}) ([a-z]{3,8})(?=\s)/g)].map(([line]) => line)
    expect(words).toHaveLength(24)
    expect(raw.slice(close).indexOf('Type word')).toBeGreaterThan(0)
    for (const word of words) expect(raw.slice(0, open) + raw.slice(close)).not.toContain(`${word} `)
    expect(raw).not.toContain('not shown again')
  })

  test('a wrong seed word is named by its place, with the nearest, and asked for again', async () => {
    const words = 'enjoy mean nation pudding west exchange coach spring fitness bring current'
    const { screen, exit } = await setup([
      ...QUESTIONS.slice(0, -2),
      ['Existing seed words', `${words} laughh${ENTER}`],
      ['did you mean "laugh"?', '\u0015'],
      ['', `${words} laugh${ENTER}`],
      ['Go ahead', ENTER],
    ])
    expect(exit).toBe(0)
    expect(screen.replace(/\s+/g, ' ')).toContain('It has no seed word at place 12 of 12; did you mean "laugh"?')
    for (const word of ['pudding', 'fitness']) expect(screen).not.toContain(word)
  })

  test('a currency that is none and an open address are asked for again', async () => {
    const { screen, exit } = await setup([
      ['Public address', `http://pay.shop.example${ENTER}`],
      ['must begin with https://', `https://pay.shop.example${ENTER}`],
      ...QUESTIONS.slice(1, 4),
      ['Currencies', `dollars${ENTER}`],
      ['"dollars" is none', CTRL_C],
    ])
    expect(exit).toBe(130)
    expect(screen).toContain('must be currency codes of three letters')
  })

  test('Ctrl-C at the last question leaves nothing behind and ends with 130', async () => {
    const { exit } = await setup([...QUESTIONS, ['Press Enter when they are on paper', ENTER], ['Type word', CTRL_C]])
    expect(exit).toBe(130)
    expect(existsSync(join(folder, 'till'))).toBe(false)
  })
})
