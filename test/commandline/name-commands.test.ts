// Taking a name away as a person does it: the built command on a terminal, once a real one.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ADA, ADA_NPUB, type NamesForCommands, namesForCommands } from '../support/name-commands.js'
import { atTerminal, atTerminalHere, CTRL_C, ENTER, hasPython, type Line } from '../support/person.js'
import { cleanEnvironment, ROOT } from '../support/till-process.js'

let at: NamesForCommands
beforeEach(async () => {
  at = await namesForCommands()
  await at.claim('alice', ADA)
})
afterEach(() => at.close())

/** With the settings of these names. */
const withSettings = (words: readonly string[]) => [...words, '--settings', at.envFile]
const shown = (words: readonly string[], lines: readonly Line[], columns = 80) =>
  atTerminalHere(withSettings(words), lines, { columns })

const EVICT = ['name', 'evict', 'alice', '--reason', 'impersonates the bank']
const holder = async () => (await at.store.activeName('alice'))?.pubkey

describe('name evict at a terminal', () => {
  test('names the holder, and does it when the words were typed', async () => {
    const { screen, exit } = await shown(EVICT, [['to go on', `evict alice${ENTER}`]])
    expect({ exit, tail: screen.slice(-300) }).toMatchObject({ exit: 0 })
    // The terminal breaks the line where it is full.
    expect(screen.replaceAll(/\s+/g, '')).toContain(`Takingalicefrom${ADA_NPUB}:type"evictalice"togoon`)
    expect(screen).toContain(`alice was taken from ${ADA_NPUB}`)
    expect(await holder()).toBeUndefined()
  })

  test.each([
    ['other words', `yes${ENTER}`, 2, 'not confirmed'],
    ['Ctrl-C', CTRL_C, 130, 'interrupted'],
  ])('%s change nothing', async (_, typed, code, words) => {
    const { screen, exit } = await shown(EVICT, [['to go on', typed]])
    expect({ exit, said: screen.includes(words) }).toEqual({ exit: code, said: true })
    expect(await holder()).toBe(ADA)
  })

  test.skipIf(!hasPython).each([80, 0])(
    'a list has a head there, and keeps to one line per name (a width of %i, needs python3)',
    (columns) => {
      const { screen, exit } = atTerminal(withSettings(['name', 'list']), [], { columns })
      expect(exit).toBe(0)
      expect(screen.trim().split(/\r?\n/)).toEqual([
        expect.stringMatching(/^NAME {3}STATUS {2}SINCE {17}NPUB$/),
        expect.stringMatching(/^alice {2}active {2}2026-11-21T12:00:00Z {2}npub1[a-z0-9]{20,}…$/),
      ])
    },
  )

  test('learns that a list is empty', async () => {
    const { screen, exit } = await shown(['offer', 'list'], [])
    expect({ screen: screen.trim(), exit }).toEqual({ screen: 'none', exit: 0 })
  })
})

/** The user "nobody" owns nothing here; only root can become another user. */
const UNPRIVILEGED_UID = 65534

test.skipIf(process.getuid?.() !== 0)('another user learns whom to become (needs root, to be another user)', () => {
  const command = [join(ROOT, 'bin/run.js'), 'name', 'list', '--json']
  const { stdout, status } = spawnSync(process.execPath, command, {
    encoding: 'utf8',
    // Node 20 itself ends with 9 when it finds --env-file with a file that it cannot read.
    env: cleanEnvironment({ HOME: '/nonexistent', NAMEAUTH_ENV_FILE: at.envFile }),
    uid: UNPRIVILEGED_UID,
    gid: UNPRIVILEGED_UID,
  })
  expect(status).toBe(7)
  expect(JSON.parse(stdout).error).toMatchObject({
    code: 'FILES_OF_OTHER_USER',
    message: `you may not use ${at.envFile}, which belongs to root: repeat the command with "sudo -u 'root'"`,
  })
})
