import { expect, test } from 'vitest'
import { effectiveSettings, openEnvironment, settingGroups } from '../../src/config/index.js'

const files = (path: string): string => {
  if (path === '/pay.env')
    return 'PAY_BIND=127.0.0.1:1\nPAY_API_TOKEN=pay_live_xxxxxxxx\n#PAY_CHAIN=testnet\nPAY_QUOTE_TTL="60"\n'
  throw new Error('ENOENT')
}

test('real variables win over the env file', () => {
  const environment = openEnvironment({ envFile: '/pay.env', variables: { PAY_BIND: '0.0.0.0:2' }, readFile: files })
  expect(environment.find('PAY_BIND')).toEqual({ text: '0.0.0.0:2', origin: 'environment' })
  expect(environment.find('PAY_QUOTE_TTL')).toEqual({ text: '60', origin: '/pay.env' })
  expect(environment.find('PAY_CHAIN')).toBeUndefined()
})

test('an env file that cannot be read is a configuration error', () => {
  expect(() => openEnvironment({ envFile: '/none', variables: {}, readFile: files })).toThrow(
    'configuration error: cannot read env file /none: ENOENT',
  )
})

test('effective settings name their origin and never a secret', () => {
  const shown = effectiveSettings(openEnvironment({ envFile: '/pay.env', variables: {}, readFile: files }))
  const of = (name: string) => shown.find((setting) => setting.name === name)
  expect(of('PAY_API_TOKEN')).toEqual({ name: 'PAY_API_TOKEN', value: 'set', origin: '/pay.env' })
  expect(of('PAY_ADMIN_TOKEN')).toEqual({ name: 'PAY_ADMIN_TOKEN', value: 'unset', origin: '' })
  expect(of('PAY_CHAIN')).toEqual({ name: 'PAY_CHAIN', value: 'mainnet', origin: 'default' })
  expect(JSON.stringify(shown)).not.toContain('pay_live_xxxxxxxx')
})

test('every setting belongs to exactly one group', () => {
  const names = settingGroups().flatMap(({ settings }) => settings.map(({ name }) => name))
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBe(effectiveSettings(openEnvironment({ variables: {} })).length)
})
