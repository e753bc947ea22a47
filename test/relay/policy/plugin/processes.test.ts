// The same with real processes: what hangs, lies, dies or floods stops neither the relay nor the next question.
import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { createPolicyPlugin, type PluginParts } from '../../../../src/relay/policy/plugin/plugin.js'
import type { PolicyPlugin } from '../../../../src/relay/policy/policy.js'
import { startShellProgram, systemClock } from '../../../../src/system/index.js'
import { createKeptLog } from '../../../support/kept-log.js'
import { aRequest, type ProgramFile, programFile } from '../../../support/policy-program.js'

const FAILED = { action: 'reject', message: 'error: internal error' }
const ACCEPTED = { action: 'accept' }
const open: (PolicyPlugin | ProgramFile)[] = []

afterEach(async () => {
  for (const one of open.splice(0)) await ('close' in one ? one.close() : one.remove())
})

function running(body: string, changes: Partial<PluginParts> = {}) {
  const file = programFile(body)
  const log = createKeptLog()
  const plugin = createPolicyPlugin({
    command: () => file.command,
    timeoutSeconds: 10,
    start: startShellProgram,
    modifiedAt: (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs,
    clock: systemClock,
    log,
    ...changes,
  })
  open.push(file, plugin)
  return { plugin, file, log }
}

describe('a good program', () => {
  test('answers a thousand questions in their order', async () => {
    const { plugin } = running(
      `lines((request) => answer(request, parseInt(request.event.id, 16) % 3 ? 'accept' : 'reject', 'three'))`,
    )
    const answers = await Promise.all(Array.from({ length: 1000 }, (_, n) => plugin.decide(aRequest(n))))
    expect(answers.filter(({ action }) => action === 'reject').length).toBe(334)
    expect(answers.every(({ action }, n) => (action === 'reject') === (n % 3 === 0))).toBe(true)
  })

  test('takes an event of 128 KiB', async () => {
    const { plugin } = running(
      `lines((request) => answer(request, request.event.content.length === 131072 ? 'accept' : 'reject'))`,
    )
    const { event, ...rest } = aRequest(1)
    expect(await plugin.decide({ ...rest, event: { ...event, content: 'x'.repeat(131_072) } })).toEqual(ACCEPTED)
  })

  test('leaves when its input ends', async () => {
    const { plugin, file } = running(
      `lines((request) => answer(request, 'accept')); process.stdin.on('end', () => require('node:fs').writeFileSync(__dirname + '/left', 'yes'))`,
    )
    expect(await plugin.decide(aRequest(1))).toEqual(ACCEPTED)
    await plugin.close()
    expect(readFileSync(join(file.folder, 'left'), 'utf8')).toBe('yes')
  })

  test('is replaced by its newer version', async () => {
    let path = ''
    const { plugin, file } = running('', { command: () => path })
    path = join(file.folder, 'policy.sh')
    const version = (action: string) =>
      `#!/bin/sh\nwhile read -r line; do id=\${line#*\\"id\\":\\"}; printf '{"id":"%.64s","action":"${action}","msg":"no"}\\n' "$id"; done\n`
    writeFileSync(path, version('accept'), { mode: 0o755 })
    utimesSync(path, 1, 1)
    expect(await plugin.decide(aRequest(1))).toEqual(ACCEPTED)
    writeFileSync(path, version('reject'), { mode: 0o755 })
    utimesSync(path, 2, 2)
    expect(await plugin.decide(aRequest(2))).toEqual({ action: 'reject', message: 'blocked: no' })
  })
})

describe('a bad one costs its own event', () => {
  /** Misbehaves on the first event, and after a restart no more. */
  const once = (deed: string) => `
    const fs = require('node:fs'); const mark = __dirname + '/done'
    lines((request) => { if (fs.existsSync(mark)) return answer(request, 'accept'); fs.writeFileSync(mark, ''); ${deed} })`

  test.each([
    ['hangs', `/* says nothing */`],
    ['hangs and ignores what asks it to leave', `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`],
    ['blocks', `for (;;);`],
    ['dies', `process.exit(3)`],
    ['is killed', `process.kill(process.pid, 'SIGKILL')`],
    ['throws', `throw new Error('a bug in it')`],
    ['lies about the id', `request.event.id = '0'.repeat(64); answer(request, 'accept')`],
    ['makes up actions', `answer(request, 'perhaps')`],
    ['answers endlessly', `for (;;) process.stdout.write('x'.repeat(65536))`],
    ['chatters', `for (;;) process.stdout.write('I think\\n'.repeat(10000))`],
    ['complains endlessly', `process.stderr.write('y\\n'.repeat(100000)); process.exit(1)`],
    ['closes its output', `require('node:fs').closeSync(1)`],
  ])('%s', async (_what, deed) => {
    const { plugin } = running(once(deed), { timeoutSeconds: 3 })
    const answers = await Promise.all([plugin.decide(aRequest(1)), plugin.decide(aRequest(2))])
    expect(answers).toEqual([FAILED, ACCEPTED])
  })

  test('with everything that it started', async () => {
    const { plugin, file } = running(
      `const { spawn } = require('node:child_process'); const child = spawn('sleep', ['600'], { stdio: 'inherit' }); require('node:fs').writeFileSync(__dirname + '/pid', String(child.pid)); lines(() => {})`,
      { timeoutSeconds: 1 },
    )
    expect(await plugin.decide(aRequest(1))).toEqual(FAILED)
    const pid = readFileSync(join(file.folder, 'pid'), 'utf8')
    await gone(pid)
    expect(isRunning(pid)).toBe(false)
  })

  test('a command that does not exist refuses everything and says why', async () => {
    const { plugin, log } = running('', { command: () => '/nowhere/policy' })
    expect(await plugin.decide(aRequest(1))).toEqual(FAILED)
    expect(log.lines.map(({ fields }) => JSON.stringify(fields)).join()).toMatch(/exit code 12[67]/)
  })
})

const isRunning = (pid: string): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

/** The kernel needs a moment to carry a signal out. */
async function gone(pid: string): Promise<void> {
  for (let tries = 0; tries < 200 && isRunning(pid); tries++) await systemClock.sleep(10)
}
