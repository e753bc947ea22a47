import { expect, test } from 'vitest'
import { isGenuine } from '../../src/nostr/event/index.js'
import { authEvent } from '../../src/nostr/relays/auth.js'
import { keyPairOf, seededRandom } from '../support/nostr.js'

test('the answer to a challenge names relay and challenge, says nothing else and is signed', () => {
  const { secret, pubkey } = keyPairOf('a till')
  const asked = { relay: 'wss://relay.example.org', challenge: 'c"1', secret, now: 1_782_907_200_999 }
  const event = authEvent({ ...asked, random: seededRandom('auth') })
  expect(event).toMatchObject({ pubkey, kind: 22_242, created_at: 1_782_907_200, content: '' })
  expect(event.tags).toEqual([
    ['relay', 'wss://relay.example.org'],
    ['challenge', 'c"1'],
  ])
  expect(isGenuine(event)).toBe(true)
})
