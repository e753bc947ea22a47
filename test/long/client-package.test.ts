// `grinpay/client` out of the file that npm would publish, as a shop has it: no other package, strict types, and every piece of code of its page.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BuiltSandbox, startBuiltSandbox } from '../support/built-sandbox.js'
import { snippetsOf } from '../support/doc-snippets.js'
import { cleanEnvironment, freePort, ROOT } from '../support/till-process.js'

const run = promisify(execFile)
const SNIPPETS = snippetsOf('client.md')

let shop: string
const inside = (...path: readonly string[]) => join(shop, ...path)
const packaged = (...path: readonly string[]) => inside('node_modules/grinpay', ...path)

beforeAll(async () => {
  shop = mkdtempSync(join(tmpdir(), 'grinpay-shop-'))
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', shop]
  const { stdout } = await run('npm', pack, { cwd: ROOT })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  mkdirSync(packaged(), { recursive: true })
  await run('tar', ['-xzf', inside(filename), '-C', packaged(), '--strip-components=1'])
  writeFileSync(inside('package.json'), '{ "type": "module" }')
})
afterAll(() => rmSync(shop, { recursive: true, force: true }))

/** Compiles to `out`, as strictly as TypeScript can, declarations of packages included. */
async function compile(files: readonly string[], types: readonly string[]): Promise<string> {
  const options = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck', 'false']
  const target = ['--module', 'nodenext', '--target', 'es2022', '--lib', types.length === 0 ? 'es2022' : 'es2022,dom']
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  const names = types.length === 0 ? ['--types', ''] : ['--types', types.join(',')]
  const args = [...options, ...target, ...names, '--outDir', 'out', '--rootDir', '.', ...files]
  return run(tsc, args, { cwd: shop }).then(
    () => '',
    (failed: { stdout: string }) => failed.stdout,
  )
}

/** The files that importing one of ours loads, through all files that it imports. */
function reachedFrom(start: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(start)) return seen
  seen.add(start)
  const text = readFileSync(start, 'utf8')
  for (const [, target = ''] of text.matchAll(/(?:from|import\(|import)\s*['"]([^'"]+)['"]/g)) {
    if (!target.startsWith('.')) seen.add(target)
    else reachedFrom(join(dirname(start), start.endsWith('.d.ts') ? target.replace(/\.js$/, '.d.ts') : target), seen)
  }
  return seen
}

test.each(['js', 'd.ts'])('it loads nothing of the daemon, and no package (%s)', (ending) => {
  const reached = [...reachedFrom(packaged(`dist/client/shop/index.${ending}`))]
  const own = reached.filter((path) => path.startsWith('/')).map((path) => relative(packaged('dist'), path))
  expect(own.filter((path) => !/^(client|lib)\//.test(path))).toEqual([])
  expect(own.length).toBeLessThan(20)
  expect(reached.filter((path) => !path.startsWith('/') && !path.startsWith('node:'))).toEqual([])
})

test('plain JavaScript can import it, with no other package installed', async () => {
  const code = "import * as client from 'grinpay/client'; console.log(Object.keys(client).sort().join())"
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: shop })
  expect(stdout.trim()).toBe('TillError,connectTill,nanogrin,verifyWebhook,version')
})

test('what is inside cannot be reached past it', async () => {
  const code = "await import('grinpay/dist/daemons/pay.js')"
  const failed = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: shop }).catch((e) => e)
  expect(failed.stderr).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED')
})

describe('types', () => {
  test('they need neither those of Node nor of a browser', async () => {
    const code = `import { connectTill, verifyWebhook, type Invoice } from 'grinpay/client'
export const make = (url: string): Promise<Invoice> =>
  connectTill({ url, apiToken: 't' }).createInvoice({ amount_fiat: '1', currency: 'usd' })
export const amountOf = (body: Uint8Array): string | undefined =>
  verifyWebhook({ headers: { 'webhook-id': 'x' }, body, secret: 's' }).payment?.amount_grin
`
    writeFileSync(inside('bare.ts'), code)
    expect(await compile(['bare.ts'], [])).toBe('')
  })

  test.each([
    ['both forms of an amount', "createInvoice({ amount_grin: 1, amount_fiat: '1', currency: 'usd' })"],
    ['no amount', "createInvoice({ order_ref: 'x' })"],
    ['money without a currency', "createInvoice({ amount_fiat: '1' })"],
    ['an amount as text', "createInvoice({ amount_grin: '1' })"],
    ['an unknown member', "createInvoice({ amount_grin: 1, orderRef: 'x' })"],
  ])('they refuse %s', async (_, call) => {
    const code = `import { connectTill } from 'grinpay/client'\nvoid connectTill({ url: '', apiToken: '' }).${call}\n`
    writeFileSync(inside('wrong.ts'), code)
    expect(await compile(['wrong.ts'], [])).toMatch(/wrong\.ts.*error TS/)
  })
})

describe('the page', () => {
  let till: BuiltSandbox
  let hook: string
  let receiver: ChildProcess
  let output = ''

  const environment = () => ({ ...process.env, PAY_URL: till.url, PAY_API_TOKEN: till.apiToken })
  const node = (file: string, extra: Readonly<Record<string, string>> = {}) =>
    run(process.execPath, [inside('out', file)], { env: { ...environment(), ...extra } })

  beforeAll(async () => {
    mkdirSync(inside('node_modules/@types'), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules/@types/node'), inside('node_modules/@types/node'))
    for (const [name, code] of SNIPPETS) writeFileSync(inside(name), code)
    const port = await freePort()
    hook = `http://127.0.0.1:${port}/`
    till = await startBuiltSandbox(hook)
  })
  afterAll(async () => {
    receiver?.kill('SIGKILL')
    await till?.close()
  })

  test('has code that compiles', async () => {
    expect([...SNIPPETS.keys()]).toEqual(['create.ts', 'receiver.ts', 'route.ts', 'look.ts'])
    expect(await compile([...SNIPPETS.keys()], ['node'])).toBe('')
  })

  test('has code that sells: invoice, payment, webhook', async () => {
    const { port } = new URL(hook)
    receiver = spawn(process.execPath, [inside('out/receiver.js')], {
      env: cleanEnvironment({ PORT: port, PAY_WEBHOOK_SECRET: till.webhookSecret }),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    receiver.stdout?.on('data', (chunk) => (output += chunk))
    const hears = async (words: string) => {
      for (let tries = 0; tries < 300 && !output.includes(words); tries++)
        await new Promise((resolve) => setTimeout(resolve, 100))
      expect(output).toContain(words)
    }
    await hears('listening')

    const [invoiceId = '', payUrl] = (await node('create.js')).stdout.split('\n')
    expect((await node('create.js')).stdout, 'the same key').toBe(`${invoiceId}\n${payUrl}\n`)
    expect((await node('look.js', { INVOICE_ID: invoiceId })).stdout).toBe('open 0 of 3\n')
    await till.pay(invoiceId)
    await hears('ship order-1001: 1.5 GRIN\n')
    expect((await node('look.js', { INVOICE_ID: invoiceId })).stdout).toMatch(/^confirmed \d+ of 3\n$/)
    expect((await fetch(hook, { method: 'POST', body: '{}' })).status).toBe(401)
  })

  test('has code that tells failures apart', async () => {
    expect((await node('look.js', { INVOICE_ID: '0'.repeat(32) })).stdout).toBe('no such invoice\n')
    expect((await node('look.js', { PAY_API_TOKEN: 'x', INVOICE_ID: 'y' })).stdout).toBe('UNAUTHORIZED: unauthorized\n')
    expect((await node('look.js', { PAY_URL: 'http://127.0.0.1:1' })).stdout).toMatch(/^DAEMON_UNREACHABLE: /)
  })

  test('has code for servers that speak fetch', async () => {
    const code = `import { POST } from '${inside('out/route.js')}'
import { createHmac } from 'node:crypto'
process.env.PAY_WEBHOOK_SECRETS = 'new-secret,old-secret'
const body = JSON.stringify({ event_id: 'e', event_type: 'payment.received', order_ref: 'order-9' })
const at = String(Math.floor(Date.now() / 1000))
const sign = (key) => 'v1,' + createHmac('sha256', key).update('e.' + at + '.' + body).digest('base64')
const ask = async (signature) => {
  const headers = { 'webhook-id': 'e', 'webhook-timestamp': at, 'webhook-signature': signature }
  return (await POST(new Request('http://shop/', { method: 'POST', body, headers }))).status
}
console.log(await ask(sign('old-secret')), await ask(sign('new-secret')), await ask(sign('other')))
`
    writeFileSync(inside('try-route.mjs'), code)
    const { stdout } = await run(process.execPath, [inside('try-route.mjs')])
    expect(stdout).toBe('order-9: on its way, do not ship\norder-9: on its way, do not ship\n200 200 401\n')
  })
})
