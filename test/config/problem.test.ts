// What is wrong with the settings names its setting, so that no caller has to read the sentence.
import { expect, test } from 'vitest'
import {
  configurationProblems,
  loadNameauthConfig,
  loadPayConfig,
  loadRelayConfig,
  openEnvironment,
  problemsAbout,
} from '../../src/config/index.js'
import { readPayValues } from '../../src/config/pay.js'

const environmentOf = (variables: Record<string, string>) => openEnvironment({ variables })
const thrownBy = (load: () => unknown): unknown => {
  try {
    return load()
  } catch (error) {
    return error
  }
}

test('a refused configuration carries its problems, each with its setting', () => {
  const thrown = thrownBy(() => loadPayConfig(environmentOf({ PAY_BIND: 'x', PAY_CHAIN: 'sandbox' })))
  expect(configurationProblems(thrown)).toEqual([
    { setting: 'PAY_BIND', text: 'PAY_BIND must be host:port (got "x")' },
    { setting: 'PAY_CHAIN', text: expect.stringContaining('grinpay sandbox') },
  ])
  expect(configurationProblems(new Error('x'))).toBeUndefined()
})

test('a problem under an older name counts as one of the setting', () => {
  const environment = environmentOf({ NAMEAUTH_DOMAIN: 'names.example', FLOONET_NAMES_BIND: 'x' })
  const problems = configurationProblems(thrownBy(() => loadNameauthConfig(environment))) ?? []
  expect(problemsAbout(problems, ['NAMEAUTH_NAMES_BIND'])).toHaveLength(1)
  expect(problemsAbout(problems, ['NAMEAUTH_DOMAIN'])).toEqual([])
})

test('those of the relay are called as in its file, also when their sentences hold a semicolon', () => {
  const text = '[limits]\nmax_limt = 5\n[network]\nport = "x; y"\n'
  const file = { path: '/relay.toml', text }
  const thrown = thrownBy(() => loadRelayConfig({ file, environment: environmentOf({}) }))
  expect(configurationProblems(thrown)?.map(({ setting }) => setting)).toEqual(['limits.max_limt', 'network.port'])
})

test('a secret that others can read comes with the command that mends it', () => {
  const variables = { PAY_API_TOKEN_FILE: '/t' }
  const { notices } = readPayValues(
    openEnvironment({ variables, readFile: () => 'pay_live_xxxxxxxx', modeOf: () => 0o644 }),
  )
  expect(notices).toEqual([
    { setting: 'PAY_API_TOKEN', text: expect.stringContaining('can read'), remedy: 'chmod 600 /t' },
  ])
})
