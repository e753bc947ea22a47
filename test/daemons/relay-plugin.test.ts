// The operator's own policy program behind a relay as it is composed: what a client sees of it, and what it sees of a bad one.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type NostrEvent, signEvent } from '../../src/nostr/event/index.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { keyPairOf } from '../support/nostr.js'
import { programFile } from '../support/policy-program.js'
import { type RelayClient, relayClient } from '../support/relay-client.js'
import { relayDaemon } from '../support/relay-daemon.js'

const bob = keyPairOf('bob')
const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const aProfile = (content: string): NostrEvent =>
  signEvent({ kind: 0, created_at: Math.floor(systemClock.now() / 1000), tags: [], content }, bob.secret, systemRandom)

async function relayWith(program: string, timeoutSeconds = 10) {
  const file = programFile(program)
  cleanups.push(file.remove)
  const plugin = `[write_policy]\nplugin = ${JSON.stringify(file.command)}\ntimeout_seconds = ${timeoutSeconds}\n`
  const relay = await relayDaemon(plugin)
  cleanups.push(relay.close)
  await relay.daemon.start()
  const connect = async () => {
    const client = await relayClient(relay.daemon.address().replace('http', 'ws'))
    cleanups.push(client.close)
    return client
  }
  return { ...relay, file, connect }
}

async function publish(client: RelayClient, event: NostrEvent) {
  client.send(['EVENT', event])
  const [, id, ok, text] = (await client.until('OK')).at(-1) ?? []
  expect(id).toBe(event.id)
  return [ok, text]
}

async function stored(client: RelayClient): Promise<readonly unknown[]> {
  client.send(['REQ', 'all', { kinds: [0] }])
  const answers = await client.until('EOSE')
  client.send(['CLOSE', 'all'])
  return answers.slice(0, -1).map(([, , event]) => (event as NostrEvent).content)
}

test('accepts, rejects in its own words, and rejects in the shadow', async () => {
  const { connect } = await relayWith(
    `lines((request) => answer(request, request.event.content, 'blocked: ' + request.sourceType + ' ' + request.sourceInfo))`,
  )
  const client = await connect()
  expect(await publish(client, aProfile('reject'))).toEqual([false, 'blocked: IP4 127.0.0.1'])
  expect(await publish(client, aProfile('shadowReject'))).toEqual([true, ''])
  expect(await stored(client)).toEqual([])
  expect(await publish(client, aProfile('accept'))).toEqual([true, ''])
  expect(await stored(client)).toEqual(['accept'])
})

test('cannot let in what the relay itself refuses', async () => {
  const { connect } = await relayWith(`lines((request) => answer(request, 'accept'))`)
  const client = await connect()
  const { kind: _kind, ...rest } = aProfile('')
  const note = signEvent({ ...rest, kind: 1 }, bob.secret, systemRandom)
  expect(await publish(client, note)).toEqual([
    false,
    'blocked: this relay accepts public notes only from authorized authors',
  ])
})

describe('a program that does not answer', () => {
  test('costs its event after the timeout; reading and what is refused anyway go on meanwhile', async () => {
    const { connect } = await relayWith('lines(() => {})', 2)
    const [writer, reader] = [await connect(), await connect()]
    const answer = publish(writer, aProfile('hello'))
    expect(await stored(reader)).toEqual([])
    const { kind: _kind, ...rest } = aProfile('')
    expect(await publish(reader, signEvent({ ...rest, kind: 4 }, bob.secret, systemRandom))).toEqual([
      false,
      'blocked: event kind not accepted by this relay',
    ])
    expect(await answer).toEqual([false, 'error: internal error'])
  })

  test('does not keep the relay from stopping', async () => {
    const { connect, daemon } = await relayWith('process.on("SIGTERM", () => {}); lines(() => {})', 60)
    const client = await connect()
    client.send(['EVENT', aProfile('hello')])
    client.send(['REQ', 'all', { kinds: [0] }])
    await client.until('EOSE')
    const before = systemClock.now()
    await daemon.stop()
    expect(systemClock.now() - before).toBeLessThan(9000)
  })
})

test('one that is not there refuses every event', async () => {
  const relay = await relayDaemon('[write_policy]\nplugin = "/nowhere/policy"\n')
  cleanups.push(relay.close)
  await relay.daemon.start()
  const client = await relayClient(relay.daemon.address().replace('http', 'ws'))
  cleanups.push(client.close)
  for (const content of ['a', 'b', 'c'])
    expect(await publish(client, aProfile(content))).toEqual([false, 'error: internal error'])
  expect(relay.logText()).toContain('the policy program failed')
})

test('has of the environment what it needs to run and its own settings, and no secret', async () => {
  const secrets = {
    PAY_API_TOKEN: 'planted-api-token',
    PAY_ADMIN_TOKEN: 'planted-admin-token',
    PAY_WALLET_PASSWORD: 'planted-wallet-password',
    PAY_WEBHOOK_SECRET: 'planted-webhook-secret',
    NAMEAUTH_PAY_TOKEN: 'planted-authority-token',
    RELAY_PAY_API_TOKEN: 'planted-relay-token',
    RELAY_PAY_WEBHOOK_SECRET: 'planted-relay-secret',
    CREDENTIALS_DIRECTORY: '/run/credentials/planted',
    NOTIFY_SOCKET: '/run/planted-notify',
  }
  const wanted = { RELAY_AUTHORIZED_AUTHORS: 'ab'.repeat(32), TZ: 'Europe/Zurich' }
  for (const [name, value] of Object.entries({ ...secrets, ...wanted })) vi.stubEnv(name, value)
  try {
    const { connect } = await relayWith(
      `lines((request) => answer(request, 'reject', 'blocked: ' + JSON.stringify(process.env)))`,
    )
    const [, text] = await publish(await connect(), aProfile('hello'))
    const seen = JSON.parse(String(text).replace('blocked: ', '')) as Record<string, string>
    expect(JSON.stringify(seen)).not.toContain('planted')
    expect(seen).toMatchObject({ PATH: process.env.PATH, ...wanted })
    // PWD, OLDPWD, SHLVL and _ are the shell's own.
    const known = /^(PATH|HOME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|RELAY_AUTHORIZED_AUTHORS|PWD|OLDPWD|SHLVL|_)$/
    expect(Object.keys(seen).filter((name) => !known.test(name))).toEqual([])
  } finally {
    vi.unstubAllEnvs()
  }
})
