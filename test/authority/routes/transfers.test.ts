// Sales as they look from outside; their rules have tests of their own (specification: names, 10).
import { describe, expect, test } from 'vitest'
import { invalidBody, ownerChanged, pubkeyHasName } from '../../../src/authority/errors.js'
import type { Transfers } from '../../../src/authority/index.js'
import { telling } from '../../../src/lib/errors.js'
import { nameApp } from '../../support/name-app.js'
import { keyPairOf } from '../../support/nostr.js'

const ada = keyPairOf('ada')
const ID = 'ab'.repeat(32)
const EVENT = {
  id: ID,
  pubkey: ada.pubkey,
  created_at: 1,
  kind: 3402,
  tags: [['name', 'nova']],
  content: 'é',
  sig: '0',
}
const HOLDER = { name: 'nova', nip05: 'nova@names.acme.example', pubkey: ada.pubkey }

/** Answers as the test sets it; rejects what a test does not expect. */
const transfersThat = (verbs: Partial<Transfers>): Transfers => ({
  createOffer: () => Promise.reject(invalidBody()),
  read: () => Promise.reject(invalidBody()),
  revoke: () => Promise.reject(invalidBody()),
  claim: () => Promise.reject(invalidBody()),
  ...verbs,
})
const selling = (verbs: Partial<Transfers>) =>
  nameApp({ change: (authority) => ({ ...authority, transfers: transfersThat(verbs) }) })

test('an offer is lodged', async () => {
  const { ask } = await selling({ createOffer: async () => ({ offerId: ID, name: 'nova', expiresAt: 1_800_000_000 }) })
  const answer = await ask(ada, 'POST', '/api/v1/transfer/offer', { offer: EVENT })
  expect([answer.statusCode, answer.body]).toEqual([201, `{"offer_id":"${ID}","name":"nova","expires_at":1800000000}`])
})

test('an offer is read as it was signed', async () => {
  const { get } = await selling({ read: async () => ({ event: EVENT, status: 'live' }) })
  const answer = await get(`/api/v1/transfer/offer/${ID}`)
  expect([answer.statusCode, answer.json()]).toEqual([200, { offer: EVENT, status: 'live' }])
})

test('an offer is revoked, with a proof for its very address', async () => {
  const revoked: string[] = []
  const { ask } = await selling({ revoke: async (caller, id) => void revoked.push(`${caller.pubkey} ${id}`) })
  const answer = await ask(ada, 'DELETE', `/api/v1/transfer/offer/${ID}`)
  expect([answer.statusCode, answer.body, revoked]).toEqual([
    200,
    `{"offer_id":"${ID}","status":"revoked"}`,
    [`${ada.pubkey} ${ID}`],
  ])
})

test.each([
  [true, 201],
  [false, 200],
])('a claim that is new: %s, is answered with the holder', async (isNew, status) => {
  const { ask } = await selling({ claim: async () => ({ ...HOLDER, isNew }) })
  const answer = await ask(ada, 'POST', '/api/v1/transfer/claim', {})
  expect([answer.statusCode, answer.body]).toEqual([status, JSON.stringify(HOLDER)])
})

test('refusals keep their members', async () => {
  const { ask } = await selling({ claim: () => Promise.reject(telling(pubkeyHasName(), { name: 'old' })) })
  const answer = await ask(ada, 'POST', '/api/v1/transfer/claim', {})
  expect([answer.statusCode, answer.json()]).toEqual([
    409,
    expect.objectContaining({ error: 'pubkey already has a name', name: 'old' }),
  ])
})

test('no sale without a key: every write is proven first', async () => {
  const { app } = await selling({ claim: () => Promise.reject(ownerChanged()) })
  const answer = await app.inject({ method: 'POST', url: '/api/v1/transfer/claim', payload: '{}' })
  expect([answer.statusCode, answer.json().error]).toEqual([401, 'missing Authorization header'])
})

describe('where sales are off', () => {
  test.each([
    ['POST', '/api/v1/transfer/offer'],
    ['GET', `/api/v1/transfer/offer/${ID}`],
    ['DELETE', `/api/v1/transfer/offer/${ID}`],
    ['OPTIONS', '/api/v1/transfer/offer'],
    ['POST', '/api/v1/transfer/claim'],
    ['GET', '/api/v1/transfer/claim'],
  ] as const)('%s %s is not there', async (method, url) => {
    const { app } = await nameApp()
    const answer = await app.inject({ method, url })
    expect([answer.statusCode, answer.json().error]).toEqual([404, 'not found'])
  })
})
