// The relay's configuration file as it is written: it loads, and says what the table of settings says.
import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import { loadRelayConfig, openEnvironment, settingGroups } from '../../../src/config/index.js'
import { renderRelayToml } from '../../../src/wizard/relay/toml.js'

const load = (text?: string) =>
  loadRelayConfig({
    environment: openEnvironment({ variables: {} }),
    file: text === undefined ? undefined : { path: 'relay.toml', text },
  })

test('without values it is all remarks, and every setting is in it', () => {
  const text = renderRelayToml(new Map())
  const empty = Object.fromEntries(settingGroups('relay').map(({ group }) => [group, {}]))
  expect(parse(text)).toEqual(empty)
  for (const { settings } of settingGroups('relay'))
    for (const { key = '', secret } of settings)
      expect(text).toMatch(new RegExp(`^#${key.split('.')[1]}${secret ? '_file' : ''} =`, 'm'))
})

test('with the # taken away, the defaults are the defaults', () => {
  const text = renderRelayToml(new Map()).replace(/^#(\w+ = .*)$/gm, '$1')
  expect(text).toContain('\nmax_limit = 500\n')
  expect(load(text)).toEqual(load())
})

test('values are written as their setting takes them', () => {
  const text = renderRelayToml(
    new Map([
      ['info.name', 'A "quoted" \\ name\n#'],
      ['info.relay_url', 'wss://a.example,wss://b.example'],
      ['limits.max_limit', '700'],
      ['limits.event_kind_allowlist', '0,1059'],
      ['negentropy.enabled', 'false'],
    ]),
  )
  const { relay, policy } = load(text)
  expect(relay.info).toMatchObject({ name: 'A "quoted" \\ name\n#', relayUrls: ['wss://a.example', 'wss://b.example'] })
  expect(relay.limits.maxLimit).toBe(700)
  expect(relay.negentropy.enabled).toBe(false)
  expect(policy.kinds).toEqual([0, 1059])
})
