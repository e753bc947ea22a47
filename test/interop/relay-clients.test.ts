// The relay as clients meet it that were not written for it: rust-nostr and go-nostr. nostr-tools is in test/e2e/relay-clients.test.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RelayProcess, startRelay } from '../support/relay-process.js'
import { FOREIGN_CLIENTS, type ForeignClient, missingClient, roundOf } from './foreign-clients.js'

const CLIENTS = (Object.keys(FOREIGN_CLIENTS) as ForeignClient[]).map((client) => {
  const missing = missingClient(client)
  return { client, missing, note: missing ? ` (skipped: ${missing})` : '' }
})

const PROTECTED = 'this event may only be published by its author'
const READING = [
  { gated: false, words: 'everybody reads', seen: { anybody: 1, others: 1 } },
  { gated: true, words: 'only recipients read', seen: { anybody: 0, others: 0 } },
] as const

for (const { client, missing, note } of CLIENTS) {
  describe.skipIf(missing)(`${client}${note}`, () => {
    describe.each(READING)('on a relay whose gift wraps $words', ({ gated, seen }) => {
      let relay: RelayProcess
      let steps: Awaited<ReturnType<typeof roundOf>>
      beforeAll(async () => {
        relay = await startRelay({
          'authorization.nip42_auth': true,
          'authorization.gift_wraps_to_recipient': gated,
        })
        steps = await roundOf(client, relay.address)
      })
      afterAll(() => relay?.remove())

      test('hears at once what is published on another connection, byte for byte', () => {
        expect(steps.heard).toEqual({ same: true })
      })

      test('finds it among the stored, and counts it if it can count', () => {
        expect(steps.found).toEqual({ events: 1, ...(client === 'go-nostr' && { counted: 1 }) })
      })

      test('deletes it, for good', () => {
        expect(steps.deleted).toEqual({ left: 0, again: expect.stringContaining('deleted: user requested deletion') })
      })

      test('publishes a protected event as its author only', () => {
        expect(steps.protected).toEqual({
          stranger: expect.stringContaining(`auth-required: ${PROTECTED}`),
          other: expect.stringContaining(`restricted: ${PROTECTED}`),
          author: '',
        })
      })

      test('sends a gift wrap that its recipient opens', () => {
        expect(steps.mail).toEqual({ ...seen, recipient: 1, content: 'for you' })
      })

      test('compares 120 events with it until both sides have them all', () => {
        expect(steps.compared).toEqual({ here: 120, there: 120 })
      })
    })
  })
}
