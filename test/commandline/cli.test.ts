// The built command line: what scripts see.
import { spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandHome } from '../support/command-home.js'
import { cleanEnvironment, freePort, ROOT, startTillProcess, type TillProcess } from '../support/till-process.js'

const { folder, at, grinpay: run } = commandHome('cli')
const OTHER_UID = 54_321
/** Of every command; a till adds its own. */
let variables: Record<string, string> = { HOME: folder }
const grinpay = (...args: readonly string[]) => run(args, variables)

describe('without a till', () => {
  test.each<[number, string[]]>([
    [0, ['--version']],
    [0, ['--help']],
    [0, ['-h']],
    [0, ['invoice', '-h']],
    [0, ['invoice', 'create', '-h']],
    [0, ['version']],
    [0, ['version', '--json']],
    [0, ['invoice', '--help']],
    [0, ['invoice', 'create', '--help']],
    [2, ['invoice', 'create']],
    [2, ['invoice', 'show']],
    [2, ['invoice', 'show', 'a', 'b']],
    [2, ['invoice', 'list', '--limit', '0']],
    [2, ['invoice', 'creat', '1']],
    [2, ['nonsense']],
    [2, ['setup', 'pay', '--yes']],
    [2, ['config', 'check', '/nowhere']],
    [3, ['invoice', 'list']],
    [3, ['serve', 'pay']],
    [3, ['config', 'check']],
    [3, ['wallet', 'restore']],
  ])('%i: grinpay %j', async (exit, args) => {
    const ran = await grinpay(...args)
    expect({ args, exit: ran.exit }).toEqual({ args, exit })
    if (exit === 0) return
    expect(ran.stdout).toBe('')
    expect(ran.stderr).toMatch(/^grinpay: .+\n(?:hint: .+\n)?$/)
  })

  test('wrong usage under --json is one document with our members only, and the exit code', async () => {
    const { stdout, stderr, exit } = await grinpay('invoice', 'create', '1', '2', '--json')
    expect(exit).toBe(2)
    expect(stderr).toBe('')
    expect(Object.keys(JSON.parse(stdout))).toEqual(['error'])
    expect(Object.keys(JSON.parse(stdout).error).sort()).toEqual(['code', 'docs', 'exit', 'hint', 'message'])
  })

  // Only root may become another user, who must be able to reach the program. Dynamic users of systemd are such users
  // where libnss-systemd is not installed.
  const canTry =
    process.getuid?.() === 0 && spawnSync('/bin/ls', [ROOT], { uid: OTHER_UID, gid: OTHER_UID }).status === 0
  test.skipIf(!canTry)('a user whom no passwd knows, without home and shell, can run it', () => {
    const options = { uid: OTHER_UID, gid: OTHER_UID, env: { PATH: process.env.PATH }, encoding: 'utf8' } as const
    const { stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'bin/run.js'), '--version'], options)
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^grinpay\//)
  })

  test.each([
    [['invoice', 'lst'], 'grinpay invoice list'],
    [['invoce', 'list'], 'grinpay invoice list'],
    [['invoce'], 'grinpay invoice'],
    [['webhok', 'list'], 'grinpay webhook list'],
    [['relai', 'stats'], 'grinpay relay stats'],
  ])('%j gets a suggestion and no question', async (args, meant) => {
    const { stdout, stderr, exit } = await grinpay(...args)
    expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 })
    expect(stderr).toBe(`grinpay: no such command: ${args.join(' ')}\nhint: did you mean "${meant}"?\n`)
  })

  test('a command that is not there answers JSON where that is asked for', async () => {
    const { stdout, stderr, exit } = await grinpay('nosuch', '--json')
    expect({ stderr, exit }).toEqual({ stderr: '', exit: 2 })
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'USAGE', message: 'no such command: nosuch', exit: 2 } })
  })

  test.each([
    [['doctor', 'relay'], 'grinpay doctor --daemon relay'],
    [['completion', 'bash'], 'grinpay autocomplete bash'],
  ])('%j names the way', async (args, way) => {
    const { stderr, exit } = await grinpay(...args)
    expect(exit).toBe(2)
    expect(stderr).toContain(way)
  })

  test('version says the same as --version', async () => {
    const [, version = ''] = /^grinpay\/(\S+)/.exec((await grinpay('--version')).stdout) ?? []
    expect((await grinpay('version')).stdout).toContain(`grinpay ${version} `)
    expect((await grinpay('version', '--quiet')).exit).toBe(0)
  })

  test('a daemon that does not answer is 8', async () => {
    writeFileSync(at('token'), 'x')
    expect(
      (await grinpay('invoice', 'show', 'x', '--url', 'http://127.0.0.1:9', '--token-file', at('token'))).exit,
    ).toBe(8)
  })

  test('settings that are wrong end the daemon with 2 and one line, before anything is opened', async () => {
    writeFileSync(at('bad.env'), 'PAY_BIND=nowhere\nPAY_CHAIN=sandbox\n')
    const { stdout, stderr, exit } = await grinpay('serve', 'pay', '--settings', at('bad.env'))
    expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 })
    expect(stderr).toMatch(
      /^grinpay: configuration error: PAY_BIND .*; PAY_CHAIN=sandbox is for "grinpay sandbox" only.*\nhint: .*\n$/,
    )
  })

  test('serve pay --check misses what the start would miss', async () => {
    writeFileSync(at('short.env'), `PAY_PUBLIC_URL=http://127.0.0.1:8080\nPAY_DB_PATH=${at('pay.db')}\n`)
    const run = (...args: string[]) => grinpay('serve', 'pay', '--check', '--settings', at('short.env'), ...args)
    const { stdout, stderr, exit } = await run()
    expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 })
    expect(stderr).toMatch(/^grinpay: configuration error: PAY_WALLET_PASSWORD is not set/)
    writeFileSync(at('short.env'), `PAY_WALLET_PASSWORD=correct horse\nPAY_DB_PATH=${at('pay.db')}\n`)
    expect(await run()).toMatchObject({ stdout: 'settings: ok\n', exit: 0 })
  })

  test('the API description is printed as committed', async () => {
    expect((await grinpay('openapi')).stdout).toBe(readFileSync(join(ROOT, 'openapi/pay.json'), 'utf8'))
    expect((await grinpay('openapi', 'nameauth')).stdout).toBe(
      readFileSync(join(ROOT, 'openapi/nameauth.json'), 'utf8'),
    )
  })
})

describe('from setup to an invoice', () => {
  let till: TillProcess
  let prefix: string[]
  beforeAll(async () => {
    const bind = `127.0.0.1:${await freePort()}`
    prefix = ['--prefix', at('till')]
    const answers = { public_url: `http://${bind}`, bind, node_url: 'http://127.0.0.1:9', words_out: at('words') }
    writeFileSync(at('answers.json'), JSON.stringify(answers))
    const setup = await grinpay('setup', 'pay', ...prefix, '--answers', at('answers.json'), '--yes', '--skip-checks')
    expect({ exit: setup.exit, stderr: setup.stderr }).toMatchObject({ exit: 0 })
    variables = { HOME: folder, GRINPAY_ENV_FILE: at('till', 'pay.env') }
    till = await startTillProcess({ ...variables, PAY_BIND: bind })
  }, 60_000)
  afterAll(async () => {
    await till?.kill()
  })

  test('one line of shell makes, finds and cancels an invoice', async () => {
    const id = (await grinpay('invoice', 'create', '1.5', '--quiet')).stdout.trim()
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect(JSON.parse((await grinpay('invoice', 'show', id, '--json')).stdout)).toMatchObject({
      invoice_id: id,
      status: 'open',
    })
    expect((await grinpay('invoice', 'wait', id, '--timeout', '1s')).exit).toBe(5)
    expect(JSON.parse((await grinpay('invoice', 'show', id.slice(0, 6), '--json')).stdout)).toMatchObject({
      invoice_id: id,
    })
    expect((await grinpay('invoice', 'cancel', id.slice(0, 8))).exit).toBe(0)
    expect((await grinpay('invoice', 'wait', id)).exit).toBe(6)
    expect((await grinpay('invoice', 'show', 'f'.repeat(32))).exit).toBe(4)
  })

  test('a wrong token is 7', async () => {
    writeFileSync(at('wrong'), 'wrong\n')
    expect((await grinpay('invoice', 'list', '--token-file', at('wrong'))).exit).toBe(7)
  })

  test('the seed stays closed while the daemon runs', async () => {
    const { stdout, stderr, exit } = await grinpay('wallet', 'export-seed', '--words-out', at('stolen'), '--yes')
    expect({ stdout, exit }).toEqual({ stdout: '', exit: 6 })
    expect(stderr).toContain('in use')
  })

  test('a second setup says that it is there, changes nothing and ends with 0', async () => {
    const before = readFileSync(at('till', 'pay.env'), 'utf8')
    expect((await grinpay('setup', 'pay', ...prefix, '--answers', at('answers.json'), '--yes')).exit).toBe(0)
    expect(readFileSync(at('till', 'pay.env'), 'utf8')).toBe(before)
  })

  test('SIGTERM ends the daemon with 0, and the log names no secret', async () => {
    expect(await till.stop()).toBe(0)
    expect(till.output()).toContain('listening on')
    expect(till.output()).not.toMatch(/pay_live_[0-9a-f]|pay_admin_[0-9a-f]|whsec_[0-9a-f]/)
  })
})

describe('webhook listen', () => {
  test('verifies an event, prints its payload and ends after --count events', async () => {
    const secret = `whsec_${'ab'.repeat(32)}`
    writeFileSync(at('hook-secret'), `${secret}\n`)
    const args = ['webhook', 'listen', '--port', '0', '--count', '1', '--json', '--secret-file', at('hook-secret')]
    const child = spawn(process.execPath, [join(ROOT, 'bin/run.js'), ...args], { env: cleanEnvironment(variables) })
    const [printed, ended] = [text(child.stdout), once(child, 'exit')]
    const url = await new Promise<string>((resolve) =>
      child.stderr.on('data', (chunk) =>
        resolve(
          String(chunk)
            .replace(/^.*PAY_WEBHOOK_URL=/s, '')
            .trim(),
        ),
      ),
    )
    const body = '{"event_type":"test.ping"}'
    const post = (headers: Record<string, string>) => fetch(url, { method: 'POST', headers, body })
    expect((await post({})).status).toBe(401)
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const now = new Date()
    const headers = {
      'x-pay-signature': `sha256=${signature}`,
      'x-pay-delivery': 'e1',
      'webhook-id': 'e1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('e1', now, body),
    }
    expect((await post(headers)).status).toBe(200)
    expect(await ended).toEqual([0, null])
    expect(await printed).toBe(`${body}\n`)
  })
})

/** How long a command takes is `bench/command.ts`'s business; what makes it slow is what it loads. */
describe('what a command loads', () => {
  /** The program's own files under dist/, and the names of packages. */
  function loadedBy(...args: readonly string[]): { readonly own: string[]; readonly packages: Set<string> } {
    const coverage = mkdtempSync(at('coverage-'))
    // Under a test runner's NODE_ENV oclif looks for TypeScript sources.
    const env = { ...cleanEnvironment(variables), NODE_ENV: 'production', NODE_V8_COVERAGE: coverage }
    spawnSync(process.execPath, [join(ROOT, 'bin/run.js'), ...args], { env })
    const urls = readdirSync(coverage).flatMap((file) =>
      (JSON.parse(readFileSync(join(coverage, file), 'utf8')) as { result: { url: string }[] }).result.map(
        ({ url }) => url,
      ),
    )
    const own = urls.flatMap((url) => url.split(`${ROOT}/dist/`).slice(1))
    const packages = new Set(urls.flatMap((url) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []))
    return { own, packages }
  }

  test('nothing of the daemons, to tell a version', () => {
    const { own, packages } = loadedBy('--version')
    expect(packages).toContain('@oclif/core')
    expect(own).toEqual([])
  })

  test('no server, no database, no curve and no prompts, to ask a till for an invoice', () => {
    const { own, packages } = loadedBy('invoice', 'create', '1')
    expect(own).toContain('commands/invoice/create.js')
    expect(own.filter((file) => /^(daemons|till|relay|storage|wizard|http|curve)\//.test(file))).toEqual([])
    for (const heavy of ['fastify', 'ws', 'libsql', '@noble/curves', 'nostr-tools', '@inquirer/prompts', 'pino'])
      expect(packages).not.toContain(heavy)
  })
})
