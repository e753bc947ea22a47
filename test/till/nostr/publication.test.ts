import { expect, test } from 'vitest'
import { Secret } from '../../../src/lib/secret.js'
import { isGenuine } from '../../../src/nostr/event/index.js'
import { publicKeyOf } from '../../../src/nostr/keys/index.js'
import { createPublication } from '../../../src/till/nostr/publication.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { createFakeRelays, type FakeRelays } from '../../support/fake-relays.js'
import { seededRandom } from '../../support/nostr.js'
import { DAY, HOUR, MINUTE, NOON, SECOND } from '../../support/till-builders.js'
import { MASTER } from '../../support/till-parts.js'

const URLS = ['wss://a.example', 'wss://b.example', 'wss://c.example', 'wss://d.example']
const [A = '', B = ''] = URLS
const identity = new Secret(MASTER)

function given(urls: readonly string[] = URLS, relays: FakeRelays = createFakeRelays(URLS)) {
  const clock = createFakeClock()
  const log: string[] = []
  const write = (_: object, text: string) => void log.push(text)
  const publication = createPublication({
    relays,
    urls,
    identity,
    mainPubkey: publicKeyOf(identity),
    clock,
    random: seededRandom('publication'),
    log: { info: write, warn: write },
  })
  const sentTo = (url: string) => relays.relay(url).published.length
  return { clock, relays, log, publication, sentTo }
}

test('both lists go to the first three relays and name all of them', async () => {
  const { publication, relays, sentTo } = given()
  await publication.pass()
  expect(URLS.map(sentTo)).toEqual([2, 2, 2, 0])
  const events = [...relays.relay(A).events.values()]
  expect(events.every(isGenuine)).toBe(true)
  expect(events.map(({ kind, tags, content, created_at }) => ({ kind, tags, content, created_at }))).toEqual([
    {
      kind: 10050,
      tags: [...URLS.map((url) => ['relay', url]), ['encryption', 'nip44_v3 nip44_v2']],
      content: '',
      created_at: NOON / SECOND,
    },
    { kind: 10002, tags: URLS.map((url) => ['r', url]), content: '', created_at: NOON / SECOND },
  ])
})

test('a relay that has the same lists is not bothered, today or after a restart', async () => {
  const { publication, relays, clock, sentTo } = given()
  await publication.pass()
  await given(URLS, relays).publication.pass()
  await clock.advance(25 * HOUR)
  await publication.pass()
  expect(sentTo(A)).toBe(2)
  expect(relays.log.filter((line) => line === 'query')).toHaveLength(9)
})

test('other relays in the settings make new lists, newer than the stored ones', async () => {
  const { publication, relays } = given()
  await publication.pass()
  await given([B, A], relays).publication.pass()
  const lists = [...relays.relay(A).events.values()].filter(({ kind }) => kind === 10002)
  expect(lists.map(({ created_at }) => created_at)).toEqual([NOON / SECOND, NOON / SECOND + 1])
  expect(lists.at(-1)?.tags).toEqual([
    ['r', B],
    ['r', A],
  ])
})

test('every day each relay is looked at again, and one that lost the lists gets them back', async () => {
  const { publication, relays, clock, sentTo } = given()
  await publication.pass()
  relays.relay(B).events.clear()
  await clock.advance(DAY - SECOND)
  await publication.pass()
  expect(sentTo(B)).toBe(2)
  await clock.advance(SECOND)
  await publication.pass()
  expect([sentTo(A), sentTo(B)]).toEqual([2, 4])
})

test('a relay gets them as soon as it is connected', async () => {
  const { publication, relays, log, sentTo } = given()
  relays.relay(A).up = false
  await publication.pass()
  expect([sentTo(A), sentTo(B)]).toEqual([0, 2])
  relays.relay(A).up = true
  await publication.pass()
  expect([sentTo(A), sentTo(B), log]).toEqual([2, 2, []])
})

test('a refusal is tried again, later and later, with one line in the log', async () => {
  const { publication, relays, clock, log, sentTo } = given()
  relays.relay(A).refusal = 'blocked: no'
  const at: number[] = []
  for (let seconds = 0; seconds <= 300; seconds += 5) {
    const before = sentTo(A)
    await publication.pass()
    if (sentTo(A) > before) at.push(seconds)
    await clock.advance(5 * SECOND)
  }
  expect(at).toEqual([0, 30, 90, 210])
  relays.relay(A).refusal = undefined
  await clock.advance(10 * MINUTE)
  await publication.pass()
  expect(log).toEqual(['relay lists not published, will be tried again', 'relay lists published'])
  expect(sentTo(B)).toBe(2)
})
