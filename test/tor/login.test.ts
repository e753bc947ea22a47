// Logging in to a control port: who shows what to whom, and who gets nothing.
import { randomBytes } from 'node:crypto'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { Secret } from '../../src/lib/secret.js'
import { systemRandom } from '../../src/system/index.js'
import { openControl, type TorControlParts } from '../../src/tor/control.js'
import { createFakeClock } from '../support/fake-clock.js'
import { type FakeTor, type FakeTorOptions, startFakeTor } from '../support/fake-tor.js'

const open: FakeTor[] = []
afterEach(async () => {
  for (const tor of open.splice(0)) await tor.close()
})

async function fakeTor(options: FakeTorOptions = {}): Promise<FakeTor> {
  const tor = await startFakeTor(options)
  open.push(tor)
  return tor
}

const logIn = (tor: FakeTor, more: Partial<TorControlParts> = {}) =>
  openControl(
    { endpoint: tor.endpoint, clock: createFakeClock(), random: systemRandom, ...more },
    new AbortController().signal,
  )

const verbs = (tor: FakeTor) => tor.commands.map((command) => command.split(' ')[0])

test.each([false, true])('with the cookie, both sides prove that they know it (unix socket: %s)', async (unix) => {
  const tor = await fakeTor({ unix })
  const control = await logIn(tor)
  expect(control.version).toBe('0.0.0-fake')
  expect(verbs(tor)).toEqual(['PROTOCOLINFO', 'AUTHCHALLENGE', 'AUTHENTICATE'])
  control.close()
})

test('the cookie itself is never sent', async () => {
  const tor = await fakeTor()
  const cookie = new Uint8Array(32).fill(0xc0)
  await expect(logIn(tor, { readCookie: async () => new Secret(cookie) })).rejects.toMatchObject({
    code: 'TOR_NOT_GENUINE',
  })
  expect(tor.commands.join(' ')).not.toMatch(/c0c0c0/i)
})

test('who cannot prove to know the cookie is not logged in to', async () => {
  const tor = await fakeTor({ believes: randomBytes(32) })
  await expect(logIn(tor)).rejects.toMatchObject({ code: 'TOR_NOT_GENUINE' })
  expect(verbs(tor)).not.toContain('AUTHENTICATE')
})

test('an old cookie file differs from a wrong password by what tor says', async () => {
  const tor = await fakeTor({ answer: (command) => (command.startsWith('AUTHENTICATE') ? '515 no' : undefined) })
  await expect(logIn(tor)).rejects.toMatchObject({ code: 'TOR_LOGIN_REFUSED' })
})

const UNUSABLE: readonly [string, (file: string) => void, string][] = [
  ['is missing', (file) => rmSync(file), 'there is no such file'],
  ['is too long', (file) => writeFileSync(file, new Uint8Array(33)), 'it is not a file of 32 bytes'],
  ['can be read by everybody', (file) => chmodSync(file, 0o644), 'everybody can read it'],
]

test.each(UNUSABLE)('a cookie file that %s is named, with the group of tor as the remedy', async (_, spoil, why) => {
  const tor = await fakeTor()
  spoil(tor.cookieFile)
  const refusal = await logIn(tor).catch((thrown: unknown) => thrown)
  expect(refusal).toMatchObject({ code: 'TOR_COOKIE_UNREADABLE', hint: expect.stringContaining('debian-tor') })
  expect(String(refusal)).toContain(tor.cookieFile)
  expect(String(refusal)).toContain(why)
})

test('a folder or a device is no cookie either', async () => {
  for (const path of ['/', '/dev/zero']) {
    const tor = await fakeTor({
      answer: (command) =>
        command.startsWith('PROTOCOLINFO') ? `250-AUTH METHODS=SAFECOOKIE COOKIEFILE="${path}"\r\n250 OK` : undefined,
    })
    await expect(logIn(tor)).rejects.toMatchObject({ code: 'TOR_COOKIE_UNREADABLE' })
  }
})

test('a password serves where tor offers no cookie, or one that cannot be read', async () => {
  const password = new Secret('pass "word" \\ ü')
  const only = await fakeTor({ methods: 'HASHEDPASSWORD', password: password.reveal() })
  await expect(logIn(only, { password })).resolves.toBeDefined()
  const both = await fakeTor({ methods: 'COOKIE,SAFECOOKIE,HASHEDPASSWORD', password: password.reveal() })
  rmSync(both.cookieFile)
  await expect(logIn(both, { password })).resolves.toBeDefined()
})

test('a wrong password is refused and not repeated in the error, even when tor repeats it', async () => {
  const tor = await fakeTor({
    methods: 'HASHEDPASSWORD',
    password: 'right',
    answer: (command) => (command.startsWith('AUTHENTICATE') ? `515 hunter2 is wrong: ${command}` : undefined),
  })
  const refusal = await logIn(tor, { password: new Secret('hunter2') }).catch((thrown: unknown) => thrown)
  expect(refusal).toMatchObject({ code: 'TOR_LOGIN_REFUSED' })
  expect(String(refusal)).not.toMatch(/hunter2|68756e/)
})

test('without a password, a tor that wants one is refused with what it wants', async () => {
  const tor = await fakeTor({ methods: 'HASHEDPASSWORD' })
  await expect(logIn(tor)).rejects.toThrow(/asks for HASHEDPASSWORD/)
})

test('a tor that lets everybody in is believed on its own socket file only', async () => {
  await expect(logIn(await fakeTor({ methods: 'NULL', unix: true }))).resolves.toBeDefined()
  await expect(logIn(await fakeTor({ methods: 'NULL' }))).rejects.toMatchObject({ code: 'TOR_NOT_GENUINE' })
})

test.each([
  ['PROTOCOLINFO', '250 OK', 'no AUTH line'],
  ['PROTOCOLINFO', '250-AUTH "\r\n250 OK', 'not made of words'],
  ['AUTHCHALLENGE', '250 AUTHCHALLENGE SERVERHASH=00 SERVERNONCE=00', 'SERVERNONCE: need 32 bytes'],
  ['AUTHCHALLENGE', '250 OK', 'SERVERNONCE: need 32 bytes'],
  ['PROTOCOLINFO', 'SSH-2.0-OpenSSH_9.2', 'a line without a status'],
])('a nonsensical answer to %s (%s) is reported as such', async (verb, text, why) => {
  const tor = await fakeTor({ answer: (command) => (command.startsWith(verb) ? text : undefined) })
  const refusal = await logIn(tor).catch((thrown: unknown) => thrown)
  expect(refusal).toMatchObject({ code: 'TOR_NONSENSE' })
  expect(String(refusal)).toContain(why)
})
