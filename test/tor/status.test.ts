// When the onion service counts as reachable, and when tor is asked to publish it anew.
import { expect, test } from 'vitest'
import { detailOf, isOverdue, NOTHING_KNOWN, type OnionFacts, onionStatus } from '../../src/tor/status.js'
import { NOON } from '../support/till-builders.js'

const MINUTE = 60_000
const added: OnionFacts = { ...NOTHING_KNOWN, connected: true, bootstrap: 100, joinedAt: NOON, addedAt: NOON }
const published: OnionFacts = { ...added, publishedAt: NOON + MINUTE, confirmed: true }

test.each<[string, Partial<OnionFacts>, string]>([
  ['nothing is known', NOTHING_KNOWN, 'connecting'],
  ['the connection failed', { ...NOTHING_KNOWN, failure: 'tor is not there' }, 'down'],
  ['tor has not joined its network', { ...added, bootstrap: 45 }, 'bootstrapping'],
  ['tor does not say how far it is', { ...added, bootstrap: null }, 'publishing'],
  ['no directory confirmed it yet', added, 'publishing'],
  ['a directory confirmed it', published, 'published'],
  ['it was confirmed before tor was restarted', { ...published, confirmed: false }, 'publishing'],
])('when %s', (_, facts, standing) => {
  expect(onionStatus({ ...NOTHING_KNOWN, ...facts })).toBe(standing)
})

test.each<[string, OnionFacts, number, boolean]>([
  ['a first upload may take 10 minutes', added, 10, false],
  ['and not longer', added, 11, true],
  ['the second try may take 20', { ...added, retries: 1 }, 20, false],
  ['and not longer', { ...added, retries: 1 }, 21, true],
  ['the tries never wait more than 130 minutes', { ...added, retries: 50 }, 131, true],
  ['time before tor has joined its network does not count', { ...added, joinedAt: NOON + 5 * MINUTE }, 15, false],
  ['while tor is outside, nothing is overdue', { ...added, joinedAt: null }, 1000, false],
  ['without the service nothing is overdue', { ...published, addedAt: null }, 1000, false],
  ['a published service is renewed by tor within 130 minutes', published, 131, false],
  ['and is overdue after them', published, 132, true],
])('%s (minute %#)', (_, facts, minutes, overdue) => {
  expect(isOverdue(facts, NOON + minutes * MINUTE)).toBe(overdue)
})

test('the sentence says how far tor is, what a directory said, or when it was published', () => {
  const at = NOON + 13 * MINUTE
  expect(detailOf({ ...added, bootstrap: 45, step: 'Loading relays' }, at)).toBe(
    'tor is joining its network: 45 %, Loading relays',
  )
  expect(detailOf({ ...added, refusal: 'UPLOAD_REJECTED' }, at)).toBe(
    'the onion service is being published (a directory refused it: UPLOAD_REJECTED)',
  )
  expect(detailOf(published, at)).toBe('published, last 12 min ago')
  expect(detailOf({ ...published, failure: 'gone' }, at)).toBe('gone')
  expect(detailOf(NOTHING_KNOWN, at)).toBe('connecting to tor')
})
