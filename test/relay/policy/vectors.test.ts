// What the original policy answered (names/relay-policy.json): asked of ours inside the relay, and as a program.
import { describe, expect, test } from 'vitest'
import { loadPolicyProgramConfig, openEnvironment } from '../../../src/config/index.js'
import { policySettings } from '../../../src/daemons/parts/relay/settings.js'
import { createWritePolicy, DEFAULT_KINDS } from '../../../src/relay/policy/index.js'
import { NOTE_KINDS } from '../../../src/relay/policy/rules.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { createKeptLog } from '../../support/kept-log.js'
import { answersOf } from '../../support/policy-program.js'
import { POLICY_VECTORS, type PolicySet } from '../../support/policy-vectors.js'
import { vectors } from '../../support/vectors.js'

const prefixed = (prefix: string, env: PolicySet['env']) =>
  Object.fromEntries(Object.entries(env).map(([name, text]) => [prefix + name, text]))

function policyOf(env: PolicySet['env'], prefix = 'RELAY_') {
  const config = loadPolicyProgramConfig(openEnvironment({ variables: prefixed(prefix, env) }))
  return createWritePolicy({
    settings: policySettings({ policy: config }),
    clock: createFakeClock(),
    log: createKeptLog(),
  })
}

test('there are 81 of them, in 4 sets', () => {
  expect(vectors('names/relay-policy.json').sets.length).toBe(4)
  expect(POLICY_VECTORS.sets.map(({ cases }) => cases.length)).toEqual([64, 7, 7, 3])
})

test('the default kinds and the kinds of public notes are those of the original', () => {
  expect(DEFAULT_KINDS).toEqual(POLICY_VECTORS.default_allowed_kinds)
  expect([...policySettings({ policy: loadPolicyProgramConfig(openEnvironment({ variables: {} })) }).kinds]).toEqual(
    DEFAULT_KINDS,
  )
  expect([...NOTE_KINDS]).toEqual(POLICY_VECTORS.locked_kinds)
})

describe.each(POLICY_VECTORS.sets)('$name', ({ env, cases }) => {
  const policy = policyOf(env)

  test.each(cases)('inside the relay: $name', ({ request, expect: { action, msg } }) => {
    const { event, authed, sourceType: type, sourceInfo: info = '', receivedAt = 0 } = request
    const keys = authed === undefined ? [] : [authed]
    const refusal = policy.refusalFor({ event, source: { type, info }, authed: keys, receivedAt })
    expect({ action: refusal === undefined ? 'accept' : 'reject', msg: refusal ?? '' }).toEqual({ action, msg })
    expect(policy.ask).toBeUndefined()
  })

  test.each(['RELAY_', 'FLOONET_'])('as a program, with settings that begin with %s', async (prefix) => {
    const input = cases.map(({ request }) => `${JSON.stringify(request)}\n`).join('')
    const answers = await answersOf(policyOf(env, prefix), input)
    expect(answers).toEqual(cases.map((one) => one.expect))
  })
})
