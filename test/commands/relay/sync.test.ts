import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import RelayImport from '../../../src/commands/relay/import.js'
import RelaySync from '../../../src/commands/relay/sync.js'
import { keyPairOf } from '../../support/nostr.js'
import { relayDaemon } from '../../support/relay-daemon.js'
import { anEvent, SECONDS } from '../../support/relay-parts.js'
import { runCommandClass } from '../../support/run-command.js'
import { type ServedRelay, servedRelay } from '../../support/served-relay.js'
import { temporaryFolder } from '../../support/temporary-store.js'
import { freePort } from '../../support/till-process.js'

const undo: (() => unknown)[] = []
// No relay of this machine is to be found.
beforeEach(() => void vi.stubEnv('RELAY_NETWORK_PORT', '0'))
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const step of undo.splice(0).reverse()) await step()
})

const nowSeconds = (): number => Math.min(Math.floor(Date.now() / 1000), SECONDS)

async function other(): Promise<ServedRelay> {
  const relay = await servedRelay()
  undo.push(() => relay.close())
  const client = await relay.client()
  const now = Math.floor(Date.now() / 1000)
  const event = anEvent('ada', { kind: 0, content: '{}', created_at: Math.min(now, SECONDS) })
  client.send(['EVENT', event])
  expect(await client.next()).toEqual(['OK', event.id, true, ''])
  return relay
}

describe('relay sync', () => {
  test('fetches into the database of a relay that does not run', async () => {
    const relay = await other()
    const { folder, remove } = temporaryFolder()
    undo.push(remove)
    const { stdout, exit, stderr } = await runCommandClass(RelaySync, [
      relay.url,
      '--db',
      folder,
      '--dir',
      'down',
      '--json',
    ])
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({
      own: 'started for this',
      only_there: 1,
      down: { missing: 1, read: 1, stored: 1, refused: {} },
    })
  })

  test('talks to the relay that runs', async () => {
    const relay = await other()
    const { daemon, close } = await relayDaemon()
    undo.push(close)
    await daemon.start()
    vi.stubEnv('RELAY_NETWORK_PORT', new URL(daemon.address()).port)
    const first = await runCommandClass(RelaySync, [relay.url, '--json'])
    expect(JSON.parse(first.stdout)).toMatchObject({
      own: 'running',
      only_there: 1,
      down: { stored: 1 },
      up: { missing: 0 },
    })
    const second = await runCommandClass(RelaySync, [relay.url])
    expect(second).toMatchObject({ exit: 0, stderr: '', stdout: expect.stringContaining('only here 0, only there 0') })
  })

  describe('with a relay that requires authentication', () => {
    const { secret, pubkey } = keyPairOf('member')
    const nsec = Buffer.from(secret.reveal()).toString('hex')

    async function gated() {
      const port = await freePort()
      const toml = [
        `network.port = ${port}`,
        `info.relay_url = "ws://127.0.0.1:${port}"`,
        'authorization.require_auth_to_write = true',
        'authorization.gift_wraps_to_recipient = true',
      ].join('\n')
      const { daemon, close } = await relayDaemon(toml)
      undo.push(close)
      await daemon.start()
      return `ws://127.0.0.1:${port}`
    }

    async function own() {
      const { folder, remove } = temporaryFolder()
      undo.push(remove)
      const events = [
        anEvent('ada', { kind: 0, content: '{}', created_at: nowSeconds() }),
        anEvent('ada', { kind: 1059, tags: [['p', pubkey]], created_at: nowSeconds() }),
      ]
      const file = join(folder, 'events.jsonl')
      writeFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''))
      expect(await runCommandClass(RelayImport, [file, '--db', folder])).toMatchObject({ exit: 0 })
      return folder
    }

    test('nothing is accepted without a key', async () => {
      const [url, folder] = [await gated(), await own()]
      const { stdout, exit } = await runCommandClass(RelaySync, [url, '--db', folder, '--dir', 'up', '--json'])
      expect(exit).toBe(6)
      expect(JSON.parse(stdout)).toMatchObject({
        up: { missing: 2, stored: 0, refused: { 'auth-required: publish after NIP-42 AUTH': 2 } },
      })
    })

    test('a key from a file is proved, and appears nowhere', async () => {
      const [url, folder] = [await gated(), await own()]
      const file = join(folder, 'key')
      writeFileSync(file, `${nsec}\n`)
      const argv = [url, '--db', folder, '--key-file', file, '--json']
      const first = await runCommandClass(RelaySync, argv)
      expect(JSON.parse(first.stdout)).toMatchObject({ up: { missing: 2, stored: 2, refused: {} } })
      expect(first.stdout + first.stderr).not.toContain(nsec)
      // The relay shows gift wraps to their recipient only: both sides are equal for this key.
      expect(JSON.parse((await runCommandClass(RelaySync, argv)).stdout)).toMatchObject({ only_here: 0, only_there: 0 })
    })

    test.each(['RELAY_SYNC_KEY', 'RELAY_SYNC_KEY_FILE'])('a key from %s is proved', async (variable) => {
      const [url, folder] = [await gated(), await own()]
      writeFileSync(join(folder, 'key'), nsec)
      vi.stubEnv(variable, variable.endsWith('_FILE') ? join(folder, 'key') : nsec)
      const { stdout, stderr } = await runCommandClass(RelaySync, [url, '--db', folder, '--dir', 'up', '--json'])
      expect({ up: JSON.parse(stdout).up, stderr }).toMatchObject({ up: { stored: 2 }, stderr: '' })
    })

    test('a damaged key is refused and not quoted', async () => {
      vi.stubEnv('RELAY_SYNC_KEY', nsec.slice(1))
      const { stderr, exit } = await runCommandClass(RelaySync, ['ws://127.0.0.1:1'])
      expect(exit).not.toBe(0)
      expect(stderr).toContain('not a valid nsec')
      expect(stderr).not.toContain(nsec.slice(1))
    })
  })

  test.each([
    [['https://relay.example'], 'not the address of a relay: https://relay.example'],
    [['wss://relay.example', '--filter', '[]'], 'not a filter: it is a JSON object'],
    [['wss://relay.example', '--filter', '{"kind":[1984]}'], 'not a filter: kind is not a member of filters'],
  ])('%j is wrong usage', async (argv, words) => {
    const { stderr, exit } = await runCommandClass(RelaySync, argv)
    expect(exit).toBe(2)
    expect(stderr).toContain(words)
  })
})
