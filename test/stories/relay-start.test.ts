// `serve relay` as built: it starts with nothing set, says what is wrong with settings, reloads, and ends in order.
import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { signEvent } from '../../src/nostr/event/index.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { commandHome } from '../support/command-home.js'
import { keyPairOf } from '../support/nostr.js'
import { relayClient } from '../support/relay-client.js'
import { freePort, startDaemon, until } from '../support/till-process.js'

const { folder, at, grinpay } = commandHome('relay-start')

async function startRelay(name: string, variables: Readonly<Record<string, string>> = {}) {
  const port = await freePort()
  const settings = { HOME: folder, RELAY_NETWORK_PORT: String(port), ...variables }
  const command = ['serve', 'relay', '--db', at(name)]
  const relay = await startDaemon({ command, settings, bind: `127.0.0.1:${port}` })
  return { ...relay, socket: `ws://127.0.0.1:${port}` }
}

test('it needs no settings, takes an event, and gives it out again after a stop that ends with 0', async () => {
  const alice = keyPairOf('alice')
  const created_at = Math.floor(systemClock.now() / 1000)
  const event = signEvent({ kind: 0, created_at, tags: [], content: '{}' }, alice.secret, systemRandom)
  const first = await startRelay('data')
  const writer = await relayClient(first.socket)
  writer.send(['EVENT', event])
  expect(await writer.next()).toEqual(['OK', event.id, true, ''])
  expect(await first.stop()).toBe(0)
  expect(await writer.ended).toBe(1001)

  const second = await startRelay('data')
  const reader = await relayClient(second.socket)
  reader.send(['REQ', 'a', { ids: [event.id] }])
  expect(await reader.next()).toEqual(['EVENT', 'a', event])
  reader.close()
  expect(await second.stop()).toBe(0)
})

test('a killed relay had stored what it answered', async () => {
  const alice = keyPairOf('alice')
  const created_at = Math.floor(systemClock.now() / 1000)
  const event = signEvent({ kind: 0, created_at, tags: [], content: '{"a":1}' }, alice.secret, systemRandom)
  const first = await startRelay('killed')
  const writer = await relayClient(first.socket)
  writer.send(['EVENT', event])
  await writer.next()
  await first.kill()
  const second = await startRelay('killed')
  const reader = await relayClient(second.socket)
  reader.send(['REQ', 'a', { authors: [alice.pubkey] }])
  expect(await reader.next()).toEqual(['EVENT', 'a', event])
  reader.close()
  await second.stop()
})

test('SIGHUP reads the lists again and ends nothing', async () => {
  const relay = await startRelay('reloading')
  const client = await relayClient(relay.socket)
  relay.child.kill('SIGHUP')
  await until(() => relay.output().includes('"msg":"reloaded"'), relay)
  client.send(['REQ', 'a', {}])
  expect(await client.next()).toEqual(['EOSE', 'a'])
  client.close()
  expect(await relay.stop()).toBe(0)
})

describe('settings', () => {
  test('that are wrong are reported in one line, and it ends with 2', async () => {
    writeFileSync(at('broken.toml'), '[limits]\nmax_limt = 5\n[network]\nport = "many"\n')
    for (const { command, hint } of [
      { command: ['serve', 'relay', '--config'], hint: 'grinpay config check --daemon relay' },
      {
        command: ['config', 'check', '--daemon', 'relay'],
        hint: `correct ${at('broken.toml')}: docs/settings.md says what each setting takes`,
      },
    ]) {
      const { stdout, stderr, exit } = await grinpay([...command, at('broken.toml')])
      expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
      expect(stderr.replace(/^note: notes .* are refused from everyone.*\n/, '')).toBe(
        `grinpay: configuration error: unknown setting limits.max_limt; did you mean limits.max_limit?; network.port must be a whole number without quotes\nhint: ${hint}\n`,
      )
    }
  })

  test('are found where RELAY_CONFIG_FILE says, and checked without starting anything', async () => {
    writeFileSync(at('good.toml'), `[info]\nname = "Mine"\n[authorization]\npubkey_whitelist = ["${'a'.repeat(64)}"]\n`)
    const variables = { RELAY_CONFIG_FILE: at('good.toml') }
    const { stdout, stderr, exit } = await grinpay(['serve', 'relay', '--check'], variables)
    expect({ stdout, exit }).toEqual({ stdout: 'settings: ok\n', exit: 0 })
    expect(stderr).toContain('note: not everybody may publish here')
    const shown = (await grinpay(['config', 'show', '--daemon', 'relay'], variables)).stdout
    expect(shown).toContain(`info.name\tMine\t${at('good.toml')}\n`)
    expect(shown).toContain('limits.max_limit\t500\tdefault\n')
    expect((await grinpay(['config', 'check', '--daemon', 'relay', '--json'], variables)).stdout).toContain(
      at('good.toml'),
    )
  })

  test('a missing file is reported, with 2', async () => {
    const { stderr, exit } = await grinpay(['serve', 'relay', '--config', at('absent.toml')])
    expect(exit).toBe(2)
    expect(stderr).toContain(`cannot read the configuration file ${at('absent.toml')}`)
  })
})
