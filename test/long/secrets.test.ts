// Whole runs of the three daemons at log level debug, with a rotation under load: what was secret in them is found nowhere. Needs the build.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Secret } from '../../src/lib/secret.js'
import { openIdentity } from '../../src/nostr/identity/index.js'
import { encodeCode } from '../../src/nostr/nip19/index.js'
import { createSandboxPayer, type SandboxPayer, startSandboxNode } from '../../src/sandbox/index.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { createRangeWorkers, type RangeWorkers } from '../../src/workers/index.js'
import { commandHome } from '../support/command-home.js'
import { type HookReceiver, startHookReceiver } from '../support/hook-receiver.js'
import { signedClaim, startNameProcess } from '../support/name-process.js'
import { keyPairOf } from '../support/nostr.js'
import { startRelay } from '../support/relay-process.js'
import { freePort, startTillProcess, type TillProcess } from '../support/till-process.js'
import { findSecrets, type Hidden } from './secret-hunt.js'

const { folder, at, grinpay } = commandHome('secrets')
const settings = { HOME: folder, GRINPAY_ENV_FILE: at('till', 'pay.env') }
const run = (...args: readonly string[]) => grinpay(args, settings)
const hex = (bytes: number): string => Buffer.from(systemRandom.bytes(bytes)).toString('hex')

const WRONG_TOKEN = `pay_live_${hex(32)}`
const PASSWORD = `open sesame ${hex(12)}`
const NODE_SECRET = hex(16)
const WEBHOOK_SECRET = `whsec_${hex(32)}`
/** Everything that was secret at some time, and what it is called. */
const hidden: Record<string, string> = {
  'wallet password': PASSWORD,
  'secret of the node': NODE_SECRET,
  'first webhook secret': WEBHOOK_SECRET,
  'a wrong token': WRONG_TOKEN,
}
/** Everything that others may read, and where it was. */
const places: Record<string, string> = {}

/** What commands say, `--json` errors and stacks included. Not what a command prints because it was asked for it. */
async function say(...args: readonly string[]): Promise<void> {
  const { stdout, stderr } = await run(...args)
  places[`grinpay ${args.join(' ')}`] = stdout + stderr
}

const argvOf = ({ child }: TillProcess): string =>
  spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(child.pid)], { encoding: 'utf8' }).stdout

describe('the hunt itself', () => {
  const secret = hex(32)
  test('finds a secret, half of one, and three seed words in a row', () => {
    const words = 'bar indicate report keen soda vessel find measure shock enemy bronze squeeze'
    const found = findSecrets(
      { token: secret, words },
      { whole: `x${secret}y`, half: secret.slice(0, 40), seed: 'keen soda vessel', nothing: secret.slice(40) },
    )
    expect(found).toEqual(['token in whole', 'token in half', 'words in seed'])
  })
})

describe('a till', () => {
  let workers: RangeWorkers
  let node: Awaited<ReturnType<typeof startSandboxNode>>
  let payer: SandboxPayer
  let hooks: HookReceiver
  let till: TillProcess
  let archive = ''
  const envFile = (): string => readFileSync(at('till', 'pay.env'), 'utf8')
  const inEnv = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(envFile())?.[1] ?? ''

  beforeAll(async () => {
    workers = createRangeWorkers({ threads: 1 })
    node = await startSandboxNode({ verify: workers.verify, clock: systemClock, random: systemRandom, blockEvery: 300 })
    payer = createSandboxPayer({ nodeUrl: node.url, ...workers, random: systemRandom })
    await payer.fund(2)
    hooks = await startHookReceiver(WEBHOOK_SECRET)
    const bind = `127.0.0.1:${await freePort()}`
    writeFileSync(at('password'), PASSWORD, { mode: 0o600 })
    writeFileSync(at('node-secret'), NODE_SECRET, { mode: 0o600 })
    const answers = {
      ...{ public_url: `http://${bind}`, bind, chain: 'usernet', node_url: node.url, relays: 'ws://127.0.0.1:9' },
      ...{ shop: 'custom', webhook_url: hooks.url, password_file: at('password'), words_out: at('words') },
    }
    writeFileSync(at('answers.json'), JSON.stringify(answers))
    const made = await run(
      'setup',
      'pay',
      '--prefix',
      at('till'),
      '--answers',
      at('answers.json'),
      '--yes',
      '--skip-checks',
    )
    expect(made).toMatchObject({ exit: 0 })
    places['stderr of setup'] = made.stderr
    const more = { PAY_CONFIRMATIONS: 2, PAY_RATE_LIMITS: 'off', PAY_NODE_SECRET_FILE: at('node-secret') }
    const own = envFile().replace(/^PAY_WEBHOOK_SECRET=.*$/m, `PAY_WEBHOOK_SECRET=${WEBHOOK_SECRET}`)
    writeFileSync(
      at('till', 'pay.env'),
      own +
        Object.entries(more)
          .map(([name, value]) => `${name}=${value}\n`)
          .join(''),
    )
    hidden['seed words'] = readFileSync(at('words'), 'utf8').trim()
    hidden['first API token'] = inEnv('PAY_API_TOKEN')
    hidden['admin token'] = inEnv('PAY_ADMIN_TOKEN')
    till = await startTillProcess({ ...settings, PAY_BIND: bind }, ['--log-level', 'debug'])
  })
  afterAll(async () => {
    await till?.kill()
    await hooks?.close()
    await node?.close()
    await workers?.close()
  })

  const ask = (path: string, token: string, more: RequestInit = {}): Promise<Response> =>
    fetch(`${till.url}${path}`, { ...more, headers: { authorization: `Bearer ${token}`, ...more.headers } })

  test('takes a payment, and strangers knock', async () => {
    const made = JSON.parse((await run('invoice', 'create', '1.25', '--memo', 'a hat', '--json')).stdout)
    hidden['checkout token'] = made.token
    const held = payer.begin(1_250_000_000n)
    hidden['slatepack of the payer'] = held.s1
    const reply = await payer.paste(made.pay_url, held)
    hidden['reply of the till'] = reply
    await payer.push(await payer.finish(held, reply))
    await hooks.waitFor('payment.confirmed', made.invoice_id)
    expect((await ask('/invoice/none', WRONG_TOKEN)).status).toBe(401)
    expect((await ask(`/invoice/${WRONG_TOKEN}`, WRONG_TOKEN)).status).toBe(401)
    expect((await ask(`/admin/${WRONG_TOKEN}?token=${WRONG_TOKEN}`, WRONG_TOKEN)).status).toBe(404)
    const form = new URLSearchParams({ slatepack: `${held.s1.slice(0, -40)}. ENDSLATEPACK.` })
    expect((await fetch(`${made.pay_url}/slatepack`, { method: 'POST', body: form })).status).toBeGreaterThan(399)
  })

  test('a rotation under load loses no request; old and new count, and the old one ends by itself', async () => {
    const old = hidden['first API token'] ?? ''
    const { items } = JSON.parse((await run('invoice', 'list', '--json')).stdout)
    const path = `/invoice/${items[0].invoice_id}`
    const answers: { readonly at: number; readonly status: number }[] = []
    const stop = new AbortController()
    const shop = (async () => {
      while (!stop.signal.aborted) {
        const { status } = await ask(path, old)
        answers.push({ at: Date.now(), status })
      }
    })()
    const done = JSON.parse((await run('secret', 'rotate', 'api', '--overlap', '20s', '--json')).stdout)
    hidden['second API token'] = done.secret
    const end = Date.parse(done.old_until)
    const fresh = async () => (await ask(path, done.secret)).status
    await expect.poll(fresh, { timeout: 15_000 }).toBe(200)
    expect(Date.now()).toBeLessThan(end)
    await expect.poll(() => Date.now(), { timeout: 25_000 }).toBeGreaterThan(end + 500)
    stop.abort()
    await shop
    const statuses = (from: number, to: number) => [
      ...new Set(answers.filter((one) => one.at > from && one.at < to).map(({ status }) => status)),
    ]
    expect(statuses(0, end)).toEqual([200])
    expect(statuses(end + 400, Number.POSITIVE_INFINITY)).toEqual([401])
    expect(await fresh()).toBe(200)
    expect((await run('invoice', 'show', items[0].invoice_id, '-q')).exit).toBe(0)
  })

  test('during an overlap webhooks verify with the old secret and with the new one', async () => {
    const { secret } = JSON.parse((await run('secret', 'rotate', 'webhook', '--overlap', '1h', '--json')).stdout)
    hidden['second webhook secret'] = secret
    till.child.kill('SIGHUP')
    await expect.poll(() => till.output(), { timeout: 15_000 }).toContain('"reloaded"')
    // Not the command: while it runs, this process would not answer as the shop.
    const asked = await ask('/admin/webhooks/test', hidden['admin token'] ?? '', { method: 'POST' })
    expect(asked.status).toBe(200)
    const { body = '', headers = {} } = hooks.events.at(-1) ?? {}
    const shown = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    expect(shown['webhook-signature']?.split(' ')).toHaveLength(2)
    for (const key of [WEBHOOK_SECRET, secret]) expect(() => new Webhook(key).verify(body, shown)).not.toThrow()
  })

  test('and nothing of that is in a log, an error, a unit or an argument', async () => {
    writeFileSync(at('wrong'), `${WRONG_TOKEN}\n`)
    await say('invoice', 'list', '--token-file', at('wrong'), '--json', '--verbose')
    await say('invoice', 'show', 'none', '--json', '--verbose')
    await say('config', 'show', '--json')
    await say('config', 'check', '--json')
    await say('webhook', 'list')
    await say('wallet', 'export-seed', '--words-out', at('stolen'), '--yes', '--json')
    await say('secret', 'rotate', 'admin', '--out', at('admin-token'))
    hidden['second admin token'] = readFileSync(at('admin-token'), 'utf8').trim()
    // What parsing and unreadable files say, with a secret where it does not belong.
    await say('invoice', 'create', '1', '--token', WRONG_TOKEN, '--json')
    await say('invoice', 'create', WRONG_TOKEN, '--json', '--verbose')
    await say('doctor', '--json')
    await say('doctor', '--check', 'settings', '--verbose')
    await say('setup', 'pay', '--prefix', at('till'), '--reconfigure', '--yes', '--skip-checks', '--dry-run')
    await say('setup', 'pay', '--prefix', at('till'), '--yes', '--json')
    await say('systemd', 'print', '--daemon', 'pay')
    await say('systemd', 'install', '--daemon', 'pay', '--dir', at('units'), '--json')
    await say('compose', 'print', '--daemon', 'pay', '--json')
    await say('proxy', 'print', '--kind', 'nginx', '--daemon', 'pay')
    await say('backup', 'create', '--out', at('copies'), '--json')
    const [copy = ''] = readdirSync(at('copies'))
    archive = readFileSync(at('copies', copy), 'latin1')
    await say('backup', 'verify', at('copies', copy), '--password-file', at('password'), '--json')
    await say('backup', 'verify', at('copies', copy), '--password-file', at('wrong'), '--json', '--verbose')
    await say('restore', at('copies', copy), '--to', at('restored'), '--json')
    for (const name of readdirSync(at('restored'), { recursive: true, encoding: 'utf8' }))
      if (/\.(env|json|toml)$/.test(name)) places[`restored ${name}`] = readFileSync(at('restored', name), 'utf8')
    expect(places['grinpay doctor --json']).toContain('"check": "secrets"')
    expect(Object.keys(places)).toEqual(expect.arrayContaining(['restored pay.env', 'restored data/wallet/seed.json']))
    const password = new Secret(PASSWORD)
    const text = readFileSync(at('till', 'data', 'nostr', 'identity.json'), 'utf8')
    const file = { read: async () => text, write: () => Promise.reject(new Error('it is there')) }
    const { secret } = await openIdentity({ walletPassword: password, file, random: systemRandom })
    hidden.nsec = encodeCode('nsec', secret.reveal())
    hidden['nsec as hex'] = Buffer.from(secret.reveal()).toString('hex')
    places['arguments of the till'] = argvOf(till)
    expect(await till.stop()).toBe(0)
    places['log of the till'] = till.output()
    for (const name of readdirSync(at('till', 'systemd'), { recursive: true, encoding: 'utf8' }))
      if (/\.(service|conf|timer|target)$/.test(name)) places[name] = readFileSync(at('till', 'systemd', name), 'utf8')
    expect(places['log of the till']).toContain('"level":"debug"')
    expect(Object.keys(places)).toEqual(expect.arrayContaining(['grinpay-pay.service', 'grinpay webhook list']))
    expect(Object.keys(hidden).length).toBeGreaterThan(13)
    expect(findSecrets(hidden, places)).toEqual([])
    // A copy of the database has what invoices are made of; of everything else it has nothing.
    const ofInvoices = ['checkout token', 'slatepack of the payer', 'reply of the till']
    const lasting = Object.fromEntries(Object.entries(hidden).filter(([name]) => !ofInvoices.includes(name)))
    expect(findSecrets(lasting, { archive })).toEqual([])
    expect(Object.keys(findSecrets(hidden, { archive })).length).toBeGreaterThan(0) // it was looked into
  }, 400_000)
})

/** The header's value without its scheme, as it would stand in a log. */
const credential = (header: string): string => header.replace(/^Nostr /, '')

test('a name authority that sells names', async () => {
  const till = `http://127.0.0.1:${await freePort()}`
  const own: Record<string, string> = { token: `pay_live_${hex(32)}`, hook: `whsec_${hex(32)}` }
  for (const [name, secret] of Object.entries(own)) writeFileSync(at(name), `${secret}\n`, { mode: 0o600 })
  const settings = {
    ...{ HOME: folder, NAMEAUTH_DATA_DIR: at('names'), NAMEAUTH_PAY_MODE: 'name', NAMEAUTH_NAME_PRICE_GRIN: '1' },
    ...{ NAMEAUTH_PAY_URL: till, NAMEAUTH_PAY_TOKEN_FILE: at('token'), NAMEAUTH_PAY_WEBHOOK_SECRET_FILE: at('hook') },
  }
  const names = await startNameProcess(settings, ['--log-level', 'debug'])
  const { body, authorization } = signedClaim(names.url, keyPairOf('ada'), 'ada')
  const claim = (header: string, text = body) =>
    fetch(`${names.url}/api/v1/register`, {
      method: 'POST',
      headers: { authorization: header, 'content-type': 'application/json' },
      body: text,
    })
  expect((await claim(authorization)).status).toBe(503)
  expect((await claim(authorization)).status).toBe(401)
  expect((await claim(`Bearer ${own.token}`)).status).toBe(401)
  const signature = `sha256=${hex(32)}`
  const hook = { method: 'POST', headers: { 'x-pay-signature': signature }, body: '{}' }
  expect((await fetch(`${names.url}/api/v1/pay/webhook`, hook)).status).toBe(401)
  const withDomain = { ...settings, NAMEAUTH_DOMAIN: 'names.example' }
  const outputOf = async (...args: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await grinpay([...args, '--daemon', 'nameauth', '--json'], withDomain)
    return stdout + stderr
  }
  const seen: Record<string, string> = {
    arguments: argvOf(names),
    checked: await checkOf('nameauth', { NAMEAUTH_PAY_TOKEN_FILE: at('token') }),
    examined: await outputOf('doctor'),
    copied: await outputOf('backup', 'create', '--out', at('name-copies')),
  }
  for (const name of readdirSync(at('name-copies'))) seen[name] = readFileSync(at('name-copies', name), 'latin1')
  expect(Object.keys(seen)).toHaveLength(5)
  expect(await names.stop()).toBe(0)
  const secrets: Hidden = { ...own, 'signed request': credential(authorization), signature }
  expect(names.output()).toContain('"level":"debug"')
  expect(findSecrets(secrets, { ...seen, log: names.output() })).toEqual([])
})

const checkOf = async (daemon: string, variables: Readonly<Record<string, string>>): Promise<string> => {
  const { stdout, stderr } = await grinpay(['config', 'show', '--daemon', daemon, '--json'], variables)
  return stdout + stderr
}

test('a relay that is managed and sells write access', async () => {
  const own: Record<string, string> = { token: `pay_live_${hex(32)}`, hook: `whsec_${hex(32)}` }
  for (const [name, secret] of Object.entries(own)) writeFileSync(at(`relay-${name}`), `${secret}\n`, { mode: 0o600 })
  const admin = keyPairOf('admin')
  const port = await freePort()
  const relay = await startRelay(
    {
      ...{ 'name_authority.enabled': true, 'name_authority.domain': 'names.example' },
      ...{ 'name_authority.base_url': 'https://names.example', 'management.admins': [admin.pubkey] },
      ...{ 'pay.pay_mode': 'name', 'pay.url': `http://127.0.0.1:${port}`, 'pay.api_token_file': at('relay-token') },
      'pay.webhook_secret_file': at('relay-hook'),
    },
    undefined,
    ['--log-level', 'debug'],
  )
  const { body, authorization } = signedClaim('https://names.example', keyPairOf('eve'), 'eve')
  const post = (path: string, headers: Record<string, string>, text: string) =>
    fetch(`${relay.url}${path}`, { method: 'POST', headers, body: text })
  const json = { 'content-type': 'application/json' }
  expect((await post('/api/v1/register', { ...json, authorization }, body)).status).toBe(503)
  expect((await post('/api/v1/register', { ...json, authorization: `Bearer ${own.token}` }, body)).status).toBe(401)
  const managed = { 'content-type': 'application/nostr+json+rpc', authorization }
  expect((await post('/', managed, '{"method":"supportedmethods","params":[]}')).status).toBe(401)
  const client = await relay.client()
  client.send(['AUTH', { content: own.token }])
  client.send(`["EVENT",{"content":"${own.hook}"`)
  client.close()
  const seen = { arguments: argvOf(relay) }
  expect(await relay.stop()).toBe(0)
  const log = relay.output()
  await relay.remove()
  expect(log).toContain('"level":"debug"')
  expect(findSecrets({ ...own, 'signed request': credential(authorization) }, { ...seen, log })).toEqual([])
})
