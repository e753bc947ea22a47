// Standard output: where it cannot be written, where `-` names it, and as a terminal that a question changed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openEventStore } from '../../src/storage/index.js'
import { aText, NOW } from '../support/event-builders.js'
import { hasPython } from '../support/person.js'
import { cleanEnvironment, ROOT } from '../support/till-process.js'

const ENTRY = join(ROOT, 'bin/run.js')
const FULL = '/dev/full'

function folderOf(): string {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-output-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function run(args: readonly string[], cwd: string, stdout: 'pipe' | number = 'pipe') {
  const env = { ...cleanEnvironment(), HOME: cwd }
  return spawnSync(process.execPath, [ENTRY, ...args], { cwd, env, stdio: ['ignore', stdout, 'pipe'] })
}

async function aRelay(): Promise<string> {
  const folder = folderOf()
  const store = await openEventStore({ path: join(folder, 'relay.db'), clock: { now: () => NOW * 1000 } })
  store.append([aText({ content: 'kept' })])
  await store.close()
  return folder
}

test.runIf(existsSync(FULL)).each([['version'], ['openapi pay'], ['--help'], ['openapi pay --json']])(
  'on a full disk "%s" ends with one line and 1',
  (command) => {
    const { status, stderr } = run(command.split(' '), folderOf(), openSync(FULL, 'w'))
    expect([status, String(stderr)]).toEqual([
      1,
      expect.stringMatching(/^grinpay: the output cannot be written: ENOSPC: no space left on device\n$/),
    ])
  },
)

test.runIf(existsSync(FULL))('an export to a full disk does not end as if it were whole', async () => {
  const folder = await aRelay()
  const { status, stderr } = run(['relay', 'export', '--db', folder], folder, openSync(FULL, 'w'))
  expect([status, String(stderr)]).toEqual([1, expect.stringContaining('ENOSPC')])
})

test('"-" is standard output, and no file of that name', async () => {
  const folder = await aRelay()
  const answers = [
    run(['relay', 'export', '--db', folder, '-o', '-'], folder),
    run(['secret', 'new', 'api', '--out', '-'], folder),
    run(['backup', 'create', '--daemon', 'relay', '--db', folder, '--out', '-'], folder),
  ]
  expect(answers.map(({ status }) => status)).toEqual([0, 0, 0])
  const [events, secret, archive] = answers.map(({ stdout }) => stdout)
  expect(JSON.parse(String(events))).toMatchObject({ content: 'kept' })
  expect(String(secret)).toMatch(/^pay_\S+\n$/)
  expect(archive?.subarray(257, 262).toString()).toBe('ustar')
  expect(archive?.length).toBe(Number(/(\d+) bytes/.exec(String(answers[2]?.stderr))?.[1]))
  expect(readdirSync(folder)).not.toContain('-')
})

/** Starts a command in a terminal, ends it by SIGTERM at its first question, and prints what is then on the screen, its modes and the exit code. */
const TERMINAL = `
import json, os, pty, subprocess, sys, termios, time
fd, end = pty.openpty()
child = subprocess.Popen(sys.argv[1:], stdin=end, stdout=end, stderr=end, start_new_session=True)
screen = b''
while b'? ' not in screen:
    screen += os.read(fd, 4096)
time.sleep(0.5)
asked = termios.tcgetattr(end)[3]
child.terminate()
status = child.wait()
modes = termios.tcgetattr(end)[3]
os.set_blocking(fd, False)
try:
    while True:
        screen += os.read(fd, 4096)
except OSError:
    pass
print(json.dumps({'exit': status, 'asked': bool(asked & termios.ECHO), 'echo': bool(modes & termios.ECHO), 'lines': bool(modes & termios.ICANON), 'screen': screen.decode(errors='replace')}))
`

test.runIf(hasPython)('SIGTERM at a question leaves a terminal that echoes, with its cursor', () => {
  const folder = folderOf()
  const command = ['-c', TERMINAL, process.execPath, ENTRY, 'setup', 'relay']
  const env = { ...cleanEnvironment(), HOME: folder, TERM: 'xterm' }
  const { stdout, stderr } = spawnSync('python3', command, { cwd: folder, env, encoding: 'utf8', timeout: 60_000 })
  expect(stderr).toBe('')
  const { exit, asked, echo, lines, screen } = JSON.parse(stdout)
  expect({ exit, asked, echo, lines }).toEqual({ exit: 143, asked: false, echo: true, lines: true })
  expect(screen.lastIndexOf('\x1b[?25h')).toBeGreaterThan(screen.lastIndexOf('\x1b[?25l'))
})
