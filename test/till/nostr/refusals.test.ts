// How often strangers can make the till send a message. Specification: invoicing, 4.6.
import { expect, test } from 'vitest'
import { slateRefused } from '../../../src/till/errors.js'
import { createRefusals } from '../../../src/till/nostr/refusals.js'
import type { Text } from '../../../src/till/nostr/texts.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { aSlateId, grin, HOUR, MINUTE } from '../../support/till-builders.js'

const ERROR = slateRefused({ code: 'S1_FEATURES', text: 'this payment would be locked' })

function desk() {
  const clock = createFakeClock()
  const sent: Text[] = []
  const tell = createRefusals({ clock, sendText: (text) => void sent.push(text), log: { info: () => undefined } })
  let payers = 0
  /** Every time another slate of another payer: new senders cost nothing. */
  const refuse = (receiver: string, times: number) => {
    for (let n = 0; n < times; n += 1)
      tell({ error: ERROR, payer: `payer ${payers++}`, receiver, slate: { id: aSlateId(), amount: grin(1) } })
  }
  return { clock, sent, refuse }
}

test('one of our keys writes sixty refusals an hour, over all senders', async () => {
  const { clock, sent, refuse } = desk()
  refuse('one key', 40)
  await clock.advance(2 * MINUTE)
  refuse('one key', 40)
  expect(sent).toHaveLength(60)
  refuse('another key', 1)
  expect(sent).toHaveLength(61)
  await clock.advance(HOUR)
  refuse('one key', 1)
  expect(sent).toHaveLength(62)
})

test('all keys together write sixty refusals a minute', async () => {
  const { clock, sent, refuse } = desk()
  for (let n = 0; n < 100; n += 1) refuse(`key ${n}`, 1)
  expect(sent).toHaveLength(60)
  await clock.advance(MINUTE)
  refuse('key 100', 1)
  expect(sent).toHaveLength(61)
})
