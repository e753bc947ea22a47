import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import InvoiceCreate from '../../src/commands/invoice/create.js'
import InvoiceList from '../../src/commands/invoice/list.js'
import TillAdd from '../../src/commands/till/add.js'
import TillList from '../../src/commands/till/list.js'
import TillRemove from '../../src/commands/till/remove.js'
import TillUse from '../../src/commands/till/use.js'
import { runCommandClass as run, type TillForCommands, tillForCommands } from '../support/run-command.js'
import { ADMIN_TOKEN, API_TOKEN } from '../support/till-app.js'

let home: string
let till: TillForCommands
let url: string
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'grinpay-tills-'))
  vi.stubEnv('HOME', home)
  till = await tillForCommands()
  url = `http://${/PAY_BIND=(.*)/.exec(readFileSync(till.envFile, 'utf8'))?.[1]}`
  writeFileSync(join(home, 'api'), `${API_TOKEN}\n`)
  writeFileSync(join(home, 'admin'), `${ADMIN_TOKEN}\n`)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await till.close()
  rmSync(home, { recursive: true })
})

const FILE = () => join(home, '.grinpay', 'tills.json')
const add = (name: string, ...more: readonly string[]) =>
  run(TillAdd, [
    ...[name, '--url', url, '--token-file', join(home, 'api'), '--admin-token-file', join(home, 'admin')],
    ...more,
  ])

describe('names of tills', () => {
  test('a named till is talked to with its tokens, and no token is kept', async () => {
    expect(await add('shop')).toMatchObject({ exit: 0, stdout: 'shop\n' })
    expect((await run(InvoiceCreate, ['1', '--till', 'shop', '-q'])).stdout).toMatch(/^\S+\n$/)
    expect((await run(InvoiceList, ['--till', 'shop', '--json'])).exit).toBe(0)
    expect(readFileSync(FILE(), 'utf8')).not.toMatch(/pay_(live|admin)_/)
    expect(statSync(FILE()).mode & 0o777).toBe(0o600)
  })

  test('the one in use is the default, and is shown', async () => {
    await add('shop', '--use')
    expect(await run(InvoiceList, [])).toMatchObject({ exit: 0, stderr: expect.stringContaining(`till shop: ${url}`) })
    vi.stubEnv('GRINPAY_URL', 'http://127.0.0.1:9')
    expect((await run(InvoiceList, ['--token-file', join(home, 'admin')])).exit).toBe(8)
    vi.unstubAllEnvs()
    vi.stubEnv('HOME', home)
    expect((await run(TillUse, ['--none'])).exit).toBe(0)
    expect((await run(InvoiceList, [])).exit).toBe(3)
    expect((await run(TillUse, ['shop'])).stdout).toBe('shop\n')
    expect((await run(InvoiceList, [])).exit).toBe(0)
  })

  test('list shows them, remove forgets them and what was in use with them', async () => {
    await add('shop', '--use')
    await add('test')
    const { items } = JSON.parse((await run(TillList, ['--json'])).stdout)
    expect(items.map(({ name, used }: { name: string; used: boolean }) => [name, used])).toEqual([
      ['shop', true],
      ['test', false],
    ])
    expect((await run(TillList, ['-q'])).stdout).toBe('shop\ntest\n')
    expect(JSON.parse((await run(TillRemove, ['shop', '--json'])).stdout)).toEqual({
      name: 'shop',
      removed: true,
      used: null,
    })
    expect((await run(InvoiceList, [])).exit).toBe(3)
  })

  test('a name that does not exist is 4, with what was meant', async () => {
    await add('shop')
    const { exit, stderr } = await run(InvoiceList, ['--till', 'shpo'])
    expect(exit).toBe(4)
    expect(stderr).toContain('did you mean "shop"?')
    expect((await run(TillUse, ['constructor'])).exit).toBe(4)
  })

  test.each([
    ['not a name', ['Bad Name']],
    ['already', ['shop']],
    ['plain http to a public host', ['other', '--url', 'http://pay.shop.example', '--token-file', '/etc/hostname']],
    ['cannot read the token file', ['other', '--url', 'http://127.0.0.1:9', '--token-file', '/nowhere']],
  ])('%s: nothing is changed', async (text, argv) => {
    await add('shop')
    const before = readFileSync(FILE(), 'utf8')
    const ran = argv.length > 1 ? await run(TillAdd, argv) : await add(argv[0] ?? '')
    expect(ran).toMatchObject({ exit: 2, stderr: expect.stringContaining(text) })
    expect(readFileSync(FILE(), 'utf8')).toBe(before)
  })

  test('reading makes no file, and a damaged one is reported', async () => {
    expect((await run(TillList, ['--json'])).stdout).toContain('"items": []')
    expect(existsSync(FILE())).toBe(false)
    await add('shop')
    writeFileSync(FILE(), '{')
    expect((await run(TillList, [])).stderr).toContain('tills.json')
  })

  test('--till does not go with another address', async () => {
    expect((await run(InvoiceList, ['--till', 'shop', '--url', url])).exit).toBe(2)
  })
})

test('a mistyped flag gets a suggestion', async () => {
  expect((await run(InvoiceList, ['--limt', '3'])).stderr).toContain('did you mean --limit?')
  expect((await run(InvoiceList, ['--nothing-like-it-at-all'])).stderr).not.toContain('did you mean')
})
