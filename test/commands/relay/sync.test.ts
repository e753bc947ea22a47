import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import RelaySync from '../../../src/commands/relay/sync.js'
import { relayDaemon } from '../../support/relay-daemon.js'
import { anEvent, SECONDS } from '../../support/relay-parts.js'
import { runCommandClass } from '../../support/run-command.js'
import { type ServedRelay, servedRelay } from '../../support/served-relay.js'
import { temporaryFolder } from '../../support/temporary-store.js'

const undo: (() => unknown)[] = []
// No relay of this machine is to be found.
beforeEach(() => void vi.stubEnv('RELAY_NETWORK_PORT', '0'))
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const step of undo.splice(0).reverse()) await step()
})

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

  test.each([
    [['https://relay.example'], 'not the address of a relay: https://relay.example'],
    [['wss://relay.example', '--filter', '[]'], '--filter: not a JSON object'],
  ])('%j is wrong usage', async (argv, words) => {
    const { stderr, exit } = await runCommandClass(RelaySync, argv)
    expect(exit).toBe(2)
    expect(stderr).toContain(words)
  })
})
