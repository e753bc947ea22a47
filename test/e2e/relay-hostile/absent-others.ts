// Whom the relay asks, and who does not answer as one should: the authority that knows who has paid.
import { describe, expect, test } from 'vitest'
import { authEvent } from '../../support/wire-auth.js'
import { writer } from '../../support/wire-people.js'
import { targets } from './targets.js'

/** Publishes with a new key, so that nothing is remembered. */
async function publish(): Promise<readonly [boolean, string]> {
  const { paid } = targets
  const client = await paid.client()
  const who = writer()
  const proof = authEvent(who, { relay: paid.address, challenge: await client.challenge() })
  expect(await client.publish(proof, 'AUTH')).toEqual([true, ''])
  return client.publish(who.event())
}

const UNAVAILABLE = [false, 'blocked: payment status unavailable']

export function describeAbsentOthers(): void {
  describe('an authority that', () => {
    test.each([
      ['answers 500', 500, 'oops', UNAVAILABLE],
      ['answers 500 although it says yes', 500, '{"paid":true}', UNAVAILABLE],
      ['knows nothing of this', 404, '{"error":"not found"}', UNAVAILABLE],
      ['sends us elsewhere', 302, '', UNAVAILABLE],
      ['says something else', 200, '"yes"', UNAVAILABLE],
      ['says yes in another way', 200, '{"paid":"true"}', UNAVAILABLE],
      ['says nothing of it', 200, '{}', UNAVAILABLE],
      ['says no JSON', 200, '<html>', UNAVAILABLE],
      ['says too much', 200, `{"paid":true,"more":"${'x'.repeat(3_000_000)}"}`, UNAVAILABLE],
      ['says no', 200, '{"paid":false}', [false, 'blocked: payment required to publish on this relay']],
      ['says yes', 200, '{"paid":true}', [true, '']],
    ])('%s', async (_what, status, body, answer) => {
      targets.answer = { status, body }
      expect(await publish()).toEqual(answer)
    })

    test('answers 500 to a visitor is passed on as it is, and one that is away is 502', async () => {
      targets.answer = { status: 500, body: '{"error":"internal"}' }
      const ask = () => fetch(`http://127.0.0.1:${targets.paid.port}/.well-known/nostr.json?name=ada`)
      expect([500, 502]).toContain((await ask()).status)
      targets.authority.close()
      targets.authority.closeAllConnections()
      const answer = await ask()
      expect([answer.status, await answer.json()]).toEqual([502, { error: 'authority unavailable' }])
      expect(await publish()).toEqual(UNAVAILABLE)
    })
  })
}
