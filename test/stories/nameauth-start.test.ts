// `serve nameauth` as built: what it refuses to start with, where its settings come from, and how it ends.
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandHome } from '../support/command-home.js'
import { type NameProcess, signedClaim, startNameProcess } from '../support/name-process.js'
import { keyPairOf } from '../support/nostr.js'

const alice = keyPairOf('alice')

const { at, grinpay, spawned } = commandHome('nameauth-start')

describe('headless', () => {
  test('without a domain it says in one line what to do, and ends with 3', async () => {
    const { stdout, stderr, exit } = await grinpay(['serve', 'nameauth'])
    expect({ exit, stdout }).toEqual({ exit: 3, stdout: '' })
    expect(stderr).toMatch(/^grinpay: the name authority has no settings: NAMEAUTH_DOMAIN is not set .+\nhint: .+\n$/)
    expect(stderr).toContain('grinpay setup nameauth')
  })

  test('with settings that are wrong it says all of them in one line, and ends with 2', async () => {
    const broken = { NAMEAUTH_DOMAIN: 'names.example', NAMEAUTH_NAME_MAX: '21', NAMEAUTH_PAY_MODE: 'name' }
    const { stdout, stderr, exit } = await grinpay(['serve', 'nameauth'], broken)
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
    expect(stderr).toBe(
      'grinpay: configuration error: NAMEAUTH_NAME_MAX must be a whole number from 1 to 20 (got "21"); NAMEAUTH_PAY_MODE=name needs NAMEAUTH_NAME_PRICE_GRIN above 0; NAMEAUTH_PAY_MODE=name needs NAMEAUTH_PAY_URL, the address of the till; NAMEAUTH_PAY_MODE=name needs NAMEAUTH_PAY_TOKEN_FILE or NAMEAUTH_PAY_TOKEN, the API token of the till\nhint: grinpay config check --daemon nameauth\n',
    )
  })

  test.each([
    ['a base address of another host', { NAMEAUTH_BASE_URL: 'https://other.example' }],
    ['transfers without a node', { NAMEAUTH_TRANSFERS: 'true' }],
    ['a reserved file that is not there', { NAMEAUTH_RESERVED_FILE: '/nowhere' }],
  ])('%s is refused before anything is written', async (_what, settings) => {
    const data = at('never')
    const ran = await grinpay(['serve', 'nameauth'], {
      NAMEAUTH_DOMAIN: 'names.example',
      NAMEAUTH_DATA_DIR: data,
      ...settings,
    })
    expect(ran.exit).toBe(2)
    expect(() => statSync(data)).toThrow('ENOENT')
  })
})

describe('settings', () => {
  const shown = async (args: readonly string[], variables: Record<string, string> = {}) => {
    const { stdout } = await grinpay(['config', 'show', '--json', ...args], variables)
    const items: readonly { name: string; value: string; origin: string }[] = JSON.parse(stdout).items
    return items.find(({ name }) => name === 'NAMEAUTH_DOMAIN')
  }

  test('are those of the till unless their names or the caller say otherwise', async () => {
    expect(await shown([])).toBeUndefined()
    expect(await shown(['--daemon', 'nameauth'])).toMatchObject({ value: 'unset' })
    expect(await shown([], { NAMEAUTH_DOMAIN: 'a.example' })).toMatchObject({
      value: 'a.example',
      origin: 'environment',
    })
    expect(await shown([], { NAMEAUTH_DOMAIN: 'a.example', PAY_BIND: '127.0.0.1:1' })).toBeUndefined()
  })

  test('come from the first file there is, and never over a variable', async () => {
    mkdirSync(at('files'))
    const [ours, dot] = [at('files', 'ours.env'), at('.env')]
    writeFileSync(dot, 'NAMEAUTH_DOMAIN=dot.example\n')
    expect(await shown(['--daemon', 'nameauth'])).toMatchObject({ value: 'dot.example', origin: dot })
    expect(await shown(['--daemon', 'nameauth'], { NAMEAUTH_ENV_FILE: ours })).toMatchObject({ value: 'dot.example' })
    writeFileSync(ours, 'export NAMEAUTH_DOMAIN="ours.example" \nNAMEAUTH_NAME_MIN=4\n')
    expect(await shown(['--daemon', 'nameauth'], { NAMEAUTH_ENV_FILE: ours })).toEqual({
      name: 'NAMEAUTH_DOMAIN',
      value: 'ours.example',
      origin: ours,
    })
    expect(await shown(['--settings', ours], { NAMEAUTH_DOMAIN: 'mine.example' })).toMatchObject({
      value: 'mine.example',
    })
    rmSync(dot)
  })

  test('are checked by the name of the file alone', async () => {
    const file = at('nameauth.env')
    writeFileSync(file, 'NAMEAUTH_DOMAIN=names.example\nNAMEAUTH_DOMAINE=x\n')
    const { stdout, exit } = await grinpay(['config', 'check', file, '--json'])
    expect(exit).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      daemon: 'nameauth',
      file,
      notices: ['NAMEAUTH_DOMAINE is not a setting of grinpay and is ignored (did you mean NAMEAUTH_DOMAIN?)'],
    })
    // A file that is named speaks for itself.
    expect((await grinpay(['config', 'check', file, '--json'], { PAY_BIND: '127.0.0.1:1' })).stdout).toContain(
      '"nameauth"',
    )
    expect(await grinpay(['serve', 'nameauth', '--check', '--settings', file])).toMatchObject({
      exit: 0,
      stdout: 'settings: ok\n',
    })
    expect(await grinpay(['config', 'check', '--daemon', 'nameauth'])).toMatchObject({ exit: 3 })
  })
})

describe('a running authority', () => {
  let names: NameProcess
  const settings = () => ({ NAMEAUTH_DATA_DIR: at('data') })

  beforeAll(async () => {
    names = await startNameProcess(settings())
  })
  afterAll(() => void names.child.kill('SIGKILL'))

  test('serves from its own folder, which other users cannot read', () => {
    expect(statSync(at('data')).mode & 0o777).toBe(0o700)
    expect(statSync(at('data', 'names.db')).mode & 0o777).toBe(0o600)
  })

  test('does not start twice on one address', () => {
    const other = { NAMEAUTH_DOMAIN: 'names.example', NAMEAUTH_NAMES_BIND: `127.0.0.1:${names.port}` }
    const { stderr, exit } = spawned(['serve', 'nameauth'], { ...settings(), ...other })
    expect(exit).toBe(1)
    expect(stderr).toContain(`cannot listen on 127.0.0.1:${names.port}: the address is in use`)
  })

  test('stopped amid a claim, answers it, takes no other, and ends with 0; the claim stays', async () => {
    const { body, authorization } = signedClaim(names.url, alice, 'alice')
    const head = [
      'POST /api/v1/register HTTP/1.1',
      'Host: x',
      `Authorization: ${authorization}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    const socket = connect(names.port, '127.0.0.1')
    const answer = text(socket)
    socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 10)}`)
    // The server has the head once it answers a later client.
    await fetch(`${names.url}/api/v1/health`)
    names.child.kill('SIGTERM')
    await names.printed('stopping')
    const refused = () =>
      fetch(`${names.url}/api/v1/health`).then(
        () => false,
        () => true,
      )
    await expect.poll(refused, { timeout: 5000 }).toBe(true)
    socket.write(body.slice(10))
    expect(await answer).toContain('HTTP/1.1 201 Created')
    expect(await names.ended).toBe(0)
    expect(names.output()).not.toContain('part did not stop cleanly')

    names = await startNameProcess(settings())
    expect(await (await fetch(`${names.url}/api/v1/profile/alice`)).json()).toEqual({
      name: 'alice',
      pubkey: alice.pubkey,
    })
    names.child.kill('SIGTERM')
    expect(await names.ended).toBe(0)
  })
})
