import { expect, test } from 'vitest'
import { lookAround, relayAnswers } from '../../src/wizard/looks.js'
import { PAY_QUESTIONS } from '../../src/wizard/questions.js'
import { startPlainRelay } from '../support/plain-relay.js'

test('a relay that answers differs from one that does not', async () => {
  const relay = await startPlainRelay()
  const gone = await startPlainRelay()
  await gone.close()
  const looks = await Promise.all([gone.url, relay.url].map(relayAnswers))
  expect(looks).toEqual([
    { ok: false, text: expect.stringMatching(new RegExp(`^relay ${gone.url}: .*ECONNREFUSED`)) },
    { ok: true, text: `relay ${relay.url}: answers` },
  ])
  await relay.close()
})

test('no relays, no looks', async () => {
  expect(await lookAround(PAY_QUESTIONS, { answers: { relays: '' }, ownBind: undefined })).toEqual([])
})
