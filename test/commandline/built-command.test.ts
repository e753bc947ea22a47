// The built command in the process of the tests answers as in a process of its own, and can fail as that would.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { runHere } from '../support/built-command.js'
import { runBuilt, spawnBuilt } from '../support/command-home.js'
import { atTerminal, atTerminalHere, CTRL_C, CTRL_D, ENTER, hasPython, type Line } from '../support/person.js'
import { cleanEnvironment } from '../support/till-process.js'

const home = mkdtempSync(join(tmpdir(), 'grinpay-here-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

describe('answers as a process does', () => {
  test.each<[string[], Record<string, string>?]>([
    [['--version']],
    [['--help']],
    [['invoice', 'create', '--help']],
    [['version', '--json']],
    [['nonsense']],
    [['nonsense', '--json']],
    [['invoice']],
    [['invoice', 'create', '1', '2', '--json']],
    [['till', 'list', '--json'], { GRINPAY_URL: 'nowhere' }],
    [['config', 'check', 'none.env']],
    [['config', 'show'], { PAY_CONFIRMATIONS: '7' }],
    [['backup', 'verify', 'none.tar', '--verbose']],
  ])('%j %j', async (args, variables = {}) => {
    const here = await runBuilt(args, { home, variables })
    expect(withoutPlaces(here)).toEqual(withoutPlaces(spawnBuilt(args, { home, variables })))
  })
})

/** Of a stack only the messages: the lines of code are reached by other ways. */
const withoutPlaces = ({ stdout, stderr, exit }: { stdout: string; stderr: string; exit: number | null }) => ({
  ...{ stdout, exit },
  stderr: stderr.replaceAll(/^ +at .*\n/gm, ''),
})

let count = 0
function program(text: string): string {
  const entry = join(home, `program-${++count}.mjs`)
  writeFileSync(entry, text)
  return entry
}
const run = (text: string, args: readonly string[] = []) =>
  runHere(args, { cwd: home, env: { HOME: home, OWN: 'yes' }, entry: program(text), patience: 300 })

describe('a program that', () => {
  test.each([
    ['ends', '', 0],
    ['sets an exit code', 'process.exitCode = 6', 6],
    ['exits', 'process.exit(3)', 3],
    ['exits later, while it would go on for ever', 'setInterval(() => process.exit(4), 5)', 4],
    ['throws', "throw new Error('broken')", 1],
    ['rejects where nobody waits', "void Promise.reject(new Error('broken'))", 1],
    ['throws in a callback', "setTimeout(() => { throw new Error('broken') }, 5)", 1],
    ['waits for ever', 'setInterval(() => {}, 1000)', null],
    ['leaves a server open', "import net from 'node:net'; net.createServer().listen(0, '127.0.0.1')", null],
    ['leaves what does not keep it', 'setInterval(() => {}, 1000).unref()', 0],
    ['still waits for a timer', 'setTimeout(() => { process.exitCode = 5 }, 50)', 5],
  ])('%s', async (_, text, exit) => {
    const ran = await run(`console.log('began')\n${text}`)
    expect(ran).toMatchObject({ exit, stdout: 'began\n' })
    if (text.includes('broken')) expect(ran.stderr).toMatch(/Error: broken\n[\s\S]*Node\.js v/)
    if (exit === null) expect(ran.stderr).toMatch(/^still open: \w+/)
  })

  test('prints at its exit is heard, and after its exit is not', async () => {
    const { stdout, exit } = await run(`
      process.on('exit', (code) => console.log('at the exit', code))
      try { process.exit(2) } catch { console.log('after it') }
      process.exit(3)`)
    expect({ stdout, exit }).toEqual({ stdout: 'at the exit 2\n', exit: 2 })
  })

  test('warns does so on stderr', async () => {
    expect((await run("process.emitWarning('old')")).stderr).toMatch(/^\(node:\d+\) Warning: old\n/)
  })

  test('gets its own arguments, variables, folder and ends', async () => {
    const { stdout } = await run(
      `import { homedir } from 'node:os'
      const { argv, env, stdin, stdout } = process
      let read = ''
      for await (const text of stdin) read += text
      console.log(JSON.stringify([argv.slice(2), { ...env }, process.cwd(), homedir(), read, stdout.isTTY ?? false]))`,
      ['a', '--b'],
    )
    expect(JSON.parse(stdout)).toEqual([['a', '--b'], { HOME: home, OWN: 'yes' }, home, home, '', false])
  })

  test('changes everything leaves nothing behind', async () => {
    const listeners = () => process.eventNames().map((name) => [name, process.listenerCount(name as 'exit')])
    const state = () => [process.cwd(), { ...process.env }, process.argv, homedir(), process.exitCode, listeners()]
    const before = [...state(), process.stdout, process.exit, console]
    await run(`
      process.chdir('/'); process.env.LEFT = '1'; process.exitCode = 1
      for (const name of ['SIGINT', 'SIGTERM', 'exit', 'uncaughtException']) process.on(name, () => {})
      console.log = () => {}`)
    expect([...state(), process.stdout, process.exit, console]).toEqual(before)
  })

  test('runs beside another is refused', async () => {
    const first = run('setTimeout(() => {}, 50)')
    await expect(run('')).rejects.toThrow('runs already')
    expect((await first).exit).toBe(0)
  })
})

test('a terminal has its width, and what is printed on both ends', async () => {
  const entry = program(`console.log(process.stdout.columns, process.stderr.isTTY, process.stdout.hasColors())
    console.error('also')`)
  const { screen } = await runHere([], { cwd: home, env: { NO_COLOR: '1' }, entry, columns: 60 })
  expect(screen).toBe('60 true false\nalso\n')
})

test('nothing was written where it ran', () => {
  expect(existsSync(join(home, '.grinpay'))).toBe(false)
})

test.runIf(hasPython).each([60, 80])(
  'a terminal of %i columns shows what a real one shows (needs python3)',
  async (columns) => {
    const args = ['config', 'show', '--daemon', 'relay']
    const env = { HOME: home }
    const { screen, exit } = await runHere(args, { cwd: home, env: cleanEnvironment(env), columns })
    const real = atTerminal(args, [], { cwd: home, env, columns })
    expect({ exit, screen }).toEqual({ exit: real.exit, screen: real.screen.replaceAll('\r\n', '\n') })
    expect(screen.split('\n').length).toBeGreaterThan(20)
  },
)

const BEGUN: readonly Line[] = [['Domain of the names', `names.example${ENTER}`]]
const REST: readonly Line[] = ['Folder for the database', 'For sale', 'May holders sell', 'Go ahead'].map((text) => [
  text,
  ENTER,
])
test.runIf(hasPython).each<[string, readonly Line[]]>([
  ['answers', [...BEGUN, ['Listen on', `here${ENTER}`], ['It must be host:port', `127.0.0.1:8999${ENTER}`], ...REST]],
  ['the end of input', [...BEGUN, ['Listen on', CTRL_D], ['Go ahead', CTRL_D]]],
  ['Ctrl-C', [...BEGUN, ['Listen on', CTRL_C]]],
])(
  'a person who types %s sees what a real terminal draws, keystroke by keystroke (needs python3)',
  async (_, lines) => {
    const prefix = join(home, 'typed')
    const args = ['setup', 'nameauth', '--skip-checks', '--prefix', prefix]
    const seat = { cwd: home, env: { HOME: home } }
    onTestFinished(() => rmSync(prefix, { recursive: true, force: true }))
    const here = await atTerminalHere(args, lines, seat)
    rmSync(prefix, { recursive: true, force: true })
    const { raw, exit, missed } = atTerminal(args, lines, seat)
    expect({ raw: here.raw, exit: here.exit, missed: here.missed }).toEqual({
      raw: raw.replaceAll('\r\n', '\n'),
      ...{ exit, missed },
    })
    expect(raw).toContain('Domain of the names')
  },
)

test('what is typed where nothing hides it is on the screen, and what never comes is missed', async () => {
  const entry = program(`console.log('yours?')
    const typed = await new Promise((resolve) => process.stdin.once('data', resolve))
    console.log('', String(typed))`)
  const lines: readonly Line[] = [
    ['yours?', 'mine'],
    ['never', 'more'],
  ]
  const { screen, missed } = await runHere([], { cwd: home, env: {}, entry, columns: 60, lines })
  expect({ screen, missed }).toEqual({ screen: 'yours?\nmine mine\n', missed: ['never'] })
})
