// `grinpay relay policy` as a child of a relay that speaks the plugin protocol: the 81 recorded answers, and how it starts and ends.
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { POLICY_VECTORS } from '../support/policy-vectors.js'
import { cleanEnvironment, ROOT } from '../support/till-process.js'

const ENTRY = join(ROOT, 'bin/run.js')
const ADA = 'aa'.repeat(32)
const question = (event: object, more: object = {}) => JSON.stringify({ type: 'new', event, ...more })

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'grinpay-policy-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** As strfry does it: one line out, one line in, then the next. */
function relayWith(variables: Readonly<Record<string, string>>) {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [ENTRY, 'relay', 'policy'], {
    env: cleanEnvironment({ HOME: folder, ...variables }),
  })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    child,
    async ask(line: string): Promise<unknown> {
      child.stdin.write(`${line}\n`)
      const { value } = await answers.next()
      return JSON.parse(value ?? 'null')
    },
    async leave(): Promise<number | null> {
      child.stdin.end()
      const [code] = await once(child, 'exit')
      return code
    },
  }
}

const withPrefix = (env: Readonly<Record<string, string>>, prefix: string) =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [prefix + name, value]))

describe('the recorded answers', () => {
  test.each(POLICY_VECTORS.sets)('$name', async ({ env, cases }) => {
    const relay = relayWith(withPrefix(env, 'RELAY_'))
    const answers: unknown[] = []
    for (const { request } of cases) answers.push(await relay.ask(JSON.stringify(request)))
    expect(answers).toEqual(cases.map((one) => one.expect))
    expect(await relay.leave()).toBe(0)
  })

  const hasPython = spawnSync('python3', ['--version']).status === 0

  test.skipIf(!hasPython)('all 81 by the program that recorded them (needs python3)', () => {
    const command = join(folder, 'grinpay')
    writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${ENTRY}" "$@"\n`)
    chmodSync(command, 0o755)
    const tool = join(ROOT, 'test/vectors/names/tools/policy_expect.py')
    for (const prefix of ['RELAY_', 'FLOONET_']) {
      const { stdout, stderr } = spawnSync('python3', [tool, '--check', prefix, command, 'relay', 'policy'], {
        encoding: 'utf8',
        timeout: 60_000,
      })
      expect(`${stdout}${stderr}`).toBe('81 cases, 0 differ\n')
    }
  })
})

describe('its life', () => {
  test('answers while its input stays open, and leaves with 0 when it ends', async () => {
    const relay = relayWith({})
    expect(await relay.ask(question({ id: 'x', kind: 0 }))).toEqual({ id: 'x', action: 'accept', msg: '' })
    relay.child.stdin.write('\n \n')
    expect(await relay.ask('not JSON')).toEqual({ id: '', action: 'reject', msg: 'policy error' })
    expect(await relay.leave()).toBe(0)
  })

  test('leaves with 0 when nothing was ever asked', async () => {
    expect(await relayWith({}).leave()).toBe(0)
  })

  test.each([
    ['RELAY_ALLOWED_KINDS', ''],
    ['RELAY_ALLOWED_KINDS', ' , '],
    ['FLOONET_ALLOWED_KINDS', ''],
    ['RELAY_ALLOWED_KINDS', '1;7'],
    ['RELAY_ALLOWED_KINDS', 'all,1'],
    ['RELAY_AUTHORIZED_AUTHORS', `everyone,${ADA}`],
    ['RELAY_REQUIRE_AUTH', 'sometimes'],
    ['RELAY_PAY_MODE', 'wirte'],
    ['RELAY_ENV_FILE', '/nowhere/policy.env'],
  ])('does not start with %s=%j', async (name, value) => {
    const { child } = relayWith({ [name]: value })
    child.stdin.on('error', () => undefined)
    child.stdin.end(`${question({ id: 'x', kind: 0 })}\n`)
    const [code, said, answered] = await Promise.all([once(child, 'exit'), text(child.stderr), text(child.stdout)])
    expect(code[0]).toBe(2)
    expect(said).toMatch(/^grinpay: configuration error: [^\n]+\nhint: [^\n]+\n$/)
    expect(answered).toBe('')
  })

  test('accepts notes of all kinds from everyone where the settings say so, but no answer to a challenge', async () => {
    const relay = relayWith({ RELAY_ALLOWED_KINDS: 'all', RELAY_AUTHORIZED_AUTHORS: 'everyone' })
    for (const kind of [1, 30_023, 1984])
      expect(await relay.ask(question({ id: 'x', kind, pubkey: ADA }))).toMatchObject({ action: 'accept' })
    expect(await relay.ask(question({ id: 'x', kind: 22_242 }))).toMatchObject({ action: 'reject' })
    await relay.leave()
  })

  test('reads a file behind the environment, which wins', async () => {
    const file = join(folder, 'policy.env')
    writeFileSync(file, 'FLOONET_ALLOWED_KINDS=4\nexport RELAY_REQUIRE_AUTH="true"\n')
    const relay = relayWith({ FLOONET_ENV_FILE: file, RELAY_REQUIRE_AUTH: 'no' })
    expect(await relay.ask(question({ id: 'x', kind: 4 }))).toMatchObject({ action: 'accept' })
    expect(await relay.ask(question({ id: 'x', kind: 0 }))).toMatchObject({ action: 'reject' })
    await relay.leave()
  })

  test('says on stderr, and nowhere else, what it skipped and what is no setting', async () => {
    const { child } = relayWith({ RELAY_AUTHORIZED_AUTHORS: `${ADA},dead`, RELAY_ALOWED_KINDS: '1' })
    child.stdin.end()
    const [said, answered] = await Promise.all([text(child.stderr), text(child.stdout)])
    expect(said).toContain('RELAY_AUTHORIZED_AUTHORS: skipped what is no key: dead')
    expect(said).toContain('RELAY_ALOWED_KINDS is not a setting')
    expect(answered).toBe('')
  })
})

describe('with pay mode write', () => {
  let authority: Server
  let asked: string[]
  let paid: boolean
  afterEach(() => new Promise((resolve) => authority.close(resolve)))

  async function authorityUrl(): Promise<string> {
    asked = []
    authority = createServer(({ url = '' }, answer) => {
      asked.push(url)
      answer.end(JSON.stringify({ pubkey: ADA, paid }))
    }).listen(0, '127.0.0.1')
    await once(authority, 'listening')
    const address = authority.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  }

  test('asks the name authority about the key, once a minute', async () => {
    paid = true
    const relay = relayWith({ RELAY_PAY_MODE: 'write', RELAY_AUTHORITY_URL: await authorityUrl() })
    const authed = { authed: ADA }
    expect(await relay.ask(question({ id: 'x', kind: 0 }))).toMatchObject({
      msg: 'auth-required: paid publishing needs NIP-42 AUTH',
    })
    expect(await relay.ask(question({ id: 'x', kind: 0 }, authed))).toMatchObject({ action: 'accept' })
    paid = false
    expect(await relay.ask(question({ id: 'y', kind: 0 }, authed))).toMatchObject({ action: 'accept' })
    expect(await relay.ask(question({ id: 'z', kind: 0 }, { authed: 'bb'.repeat(32) }))).toMatchObject({
      msg: 'blocked: payment required to publish on this relay',
    })
    expect(asked).toEqual([`/api/v1/paid/${ADA}`, `/api/v1/paid/${'bb'.repeat(32)}`])
    expect(await relay.leave()).toBe(0)
  })

  test('refuses when no server answers there', async () => {
    const url = await authorityUrl()
    await new Promise((resolve) => authority.close(resolve))
    const relay = relayWith({ RELAY_PAY_MODE: 'write', RELAY_AUTHORITY_URL: url })
    expect(await relay.ask(question({ id: 'x', kind: 0 }, { authed: ADA }))).toMatchObject({
      action: 'reject',
      msg: 'blocked: payment status unavailable',
    })
    expect(await relay.leave()).toBe(0)
  })
})
