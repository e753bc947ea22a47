// What the original policy answered (names/relay-policy.json), asked of ours inside the relay.
import { expect, test } from 'vitest'
import {
  createWritePolicy,
  DEFAULT_KINDS,
  DEFAULT_POLICY,
  parseKinds,
  readAuthors,
} from '../../../src/relay/policy/index.js'
import { NOTE_KINDS } from '../../../src/relay/policy/kinds.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { createKeptLog } from '../../support/kept-log.js'
import { POLICY_CASES, POLICY_VECTORS, type PolicySet } from '../../support/policy-vectors.js'
import { vectors } from '../../support/vectors.js'

const settingsOf = (env: PolicySet['env']) => ({
  ...DEFAULT_POLICY,
  ...(env.ALLOWED_KINDS !== undefined && { kinds: parseKinds(env.ALLOWED_KINDS) }),
  authors: readAuthors((env.AUTHORIZED_AUTHORS ?? '').split(',')).keys,
  requireAuth: env.REQUIRE_AUTH === 'true',
})

const policies = new Map(
  POLICY_VECTORS.sets.map(({ name, env }) => [
    name,
    createWritePolicy({ settings: settingsOf(env), clock: createFakeClock(), log: createKeptLog() }),
  ]),
)

test('there are 81 of them', () => {
  expect(POLICY_CASES.length).toBe(81)
  expect(vectors('names/relay-policy.json').sets.length).toBe(4)
})

test('the default kinds and the kinds of public notes are those of the original', () => {
  expect(DEFAULT_KINDS).toEqual(POLICY_VECTORS.default_allowed_kinds)
  expect([...NOTE_KINDS]).toEqual(POLICY_VECTORS.locked_kinds)
})

test.each(POLICY_CASES)('$set: $name', ({ set, request, expect: { action, msg } }) => {
  const { event, authed, sourceType: type, sourceInfo: info = '', receivedAt = 0 } = request
  const policy = policies.get(set)
  const keys = authed === undefined ? [] : [authed]
  const refusal = policy?.refusalFor({ event, source: { type, info }, authed: keys, receivedAt })
  expect({ action: refusal === undefined ? 'accept' : 'reject', msg: refusal ?? '' }).toEqual({ action, msg })
  expect(policy?.ask).toBeUndefined()
})
