// Sets of events reconciled with strfry (NIP-77), by its tool and by ours, on our relay as the setup opens it to everybody.
import type { NostrEvent } from 'nostr-tools/pure'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { now, person } from '../support/wire-people.js'
import { startWizardRelay, type WizardRelay } from './everybody-relay.js'
import { eventsIn, missingStrfry, type Strfry, startStrfry } from './strfry.js'

const COUNT = 5000
const SHARE = 1000
const GIFT_WRAP = 1059
const DAY = 86_400
const [ada, bob] = [person('ada of strfry'), person('bob of strfry')]
const missing = missingStrfry()

/** Kinds that the payments profile refuses among others, from now back to 2019; five in the same second each. */
function manyEvents(): readonly NostrEvent[] {
  const kinds = [1, 7, 30_023, GIFT_WRAP, 1984, 9735, 4]
  return Array.from({ length: COUNT }, (_, n) => {
    const kind = kinds[n % kinds.length] ?? 1
    const others = [
      ['d', `page ${n}`],
      ['t', `${n % 10}`],
    ]
    const tags = [['p', bob.pubkey], ...(kind === GIFT_WRAP ? [] : others)]
    return (n % 3 ? ada : bob).event({ kind, tags, created_at: now() - 100 - Math.floor(n / 5) * 2.5 * DAY })
  })
}

const byId = (events: readonly NostrEvent[]): readonly NostrEvent[] =>
  [...events].sort((a, b) => (a.id < b.id ? -1 : 1))

describe.skipIf(missing)(`strfry${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let all: readonly NostrEvent[]
  let ours: WizardRelay
  let theirs: Strfry
  beforeAll(() => {
    all = manyEvents()
  })
  beforeEach(async () => {
    ours = await startWizardRelay({ profile: 'everybody' })
    theirs = await startStrfry()
  })
  afterEach(async () => {
    await ours?.remove()
    await theirs?.stop()
  })

  const stored = (): readonly NostrEvent[] => {
    const { exit, stdout, stderr } = ours.command(['export'])
    expect([exit, stderr]).toEqual([0, ''])
    return eventsIn(stdout)
  }
  function store(events: readonly NostrEvent[]): void {
    const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('')
    const { exit, stdout } = ours.command(['import', '-', '--json'], lines)
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, { refused: 0 }])
  }
  /** Both have every fifth event; the others are here or there. */
  function divide(): void {
    const isShared = (n: number) => n % (COUNT / SHARE) === 0
    store(all.filter((_, n) => isShared(n) || n % 2 === 0))
    theirs.store(all.filter((_, n) => isShared(n) || n % 2 === 1))
    expect([stored().length, theirs.stored().length]).toEqual([3000, 3000])
  }
  const ourSync = (...words: readonly string[]) => {
    const { exit, stdout } = ours.command(['sync', theirs.address, '--json', ...words])
    expect(exit).toBe(0)
    return JSON.parse(stdout) as object
  }
  const theirSync = (...words: readonly string[]) => theirs.run(['sync', ours.address, ...words])

  /** The same JSON, not only the same ids. */
  function expectBoth(events: readonly NostrEvent[]): void {
    expect(byId(stored())).toEqual(byId(events))
    expect(byId(theirs.stored())).toEqual(byId(events))
  }

  test('its sync, both directions at once: both have all 5,000', () => {
    divide()
    expect(theirSync()).toContain('Have 2000 need 2000')
    expectBoth(all)
    expect(theirSync()).toContain('Have 0 need 0')
  })

  test('its sync, down and then up, in small messages', () => {
    divide()
    theirSync('--dir=down', '--frame-size-limit=4096')
    expect([stored().length, theirs.stored().length]).toEqual([3000, COUNT])
    theirSync('--dir=up', '--frame-size-limit=4096')
    expectBoth(all)
  })

  test('our sync, both directions at once', () => {
    divide()
    expect(ourSync()).toMatchObject({ only_here: 2000, only_there: 2000, down: { stored: 2000 }, up: { stored: 2000 } })
    expectBoth(all)
    expect(ourSync()).toMatchObject({ only_here: 0, only_there: 0 })
  })

  test('our sync, down and then up', () => {
    divide()
    expect(ourSync('--dir', 'down')).toMatchObject({ down: { stored: 2000 } })
    expect([stored().length, theirs.stored().length]).toEqual([COUNT, 3000])
    expect(ourSync('--dir', 'up')).toMatchObject({ up: { stored: 2000 } })
    expectBoth(all)
  })

  test('part of a set: a filter and a range of time', () => {
    divide()
    const filter = { kinds: [1, 7], authors: [ada.pubkey], since: now() - 1000 * DAY }
    const isWanted = ({ kind, pubkey, created_at }: NostrEvent) =>
      filter.kinds.includes(kind) && pubkey === ada.pubkey && created_at >= filter.since
    const wanted = all.filter(isWanted)
    theirSync(`--filter=${JSON.stringify(filter)}`)
    expect(byId(stored().filter(isWanted))).toEqual(byId(wanted))
    expect(byId(theirs.stored().filter(isWanted))).toEqual(byId(wanted))
    const others = all.length - wanted.length
    expect(stored().filter((event) => !isWanted(event)).length).toBeLessThan(others)
  })

  /** Events of which one side has a newer version, or a deletion, that the other one lacks. */
  function conflicts() {
    const at = (ago: number) => now() - ago
    const profile = [300, 200].map((ago) => ada.event({ kind: 0, created_at: at(ago), content: `{"name":"${ago}"}` }))
    const page = [300, 200].map((ago) => bob.event({ kind: 30_023, created_at: at(ago), tags: [['d', 'page']] }))
    const [mine, yours] = [ada.event({ created_at: at(300) }), bob.event({ created_at: at(300) })]
    const listing = ada.event({ kind: 30_402, created_at: at(300), tags: [['d', 'x']] })
    const deletions = [
      ada.deletion([['e', mine.id]], at(100)),
      bob.deletion([['e', yours.id]], at(100)),
      ada.deletion([['a', `30402:${ada.pubkey}:x`]], at(100)),
    ]
    const [oldProfile, newProfile] = profile as [NostrEvent, NostrEvent]
    const [oldPage, newPage] = page as [NostrEvent, NostrEvent]
    const [ofMine, ofYours, ofListing] = deletions as [NostrEvent, NostrEvent, NostrEvent]
    return {
      here: [oldProfile, newPage, yours, mine, ofMine, listing],
      there: [newProfile, oldPage, mine, yours, ofYours, ofListing],
      left: [newProfile, newPage, ...deletions],
    }
  }

  test.each([
    ['its sync', () => theirSync()],
    ['our sync', () => ourSync()],
  ] as const)('%s: newer versions and deletions of either side win on both', (_, sync) => {
    const { here, there, left } = conflicts()
    store(here)
    theirs.store(there)
    sync()
    expectBoth(left)
  })

  test.each([
    ['its sync', () => theirSync()],
    ['our sync', () => ourSync()],
  ] as const)('%s: a relay that asks for authentication keeps its gift wraps, and nothing else', async (_, sync) => {
    await ours.remove()
    ours = await startWizardRelay({ profile: 'everybody', privateWraps: true })
    const some = Array.from({ length: 60 }, (_, n) =>
      ada.event({ kind: n % 3 ? 1 : GIFT_WRAP, tags: n % 3 ? [] : [['p', bob.pubkey]], created_at: now() - n }),
    )
    const [here, there] = [some.slice(0, 30), some.slice(30)]
    store(here)
    theirs.store(there)
    sync()
    expect(byId(stored())).toEqual(byId(some))
    expect(byId(theirs.stored())).toEqual(byId(some.filter(({ kind }, n) => kind !== GIFT_WRAP || n >= 30)))
    expect(() => theirs.run(['download', ours.address])).toThrow('unexpected message type: "AUTH"')
  })

  test('its download has the newest 500 of a request, its upload brings all', () => {
    store(all)
    const newest = byId(stored().slice(-500))
    expect(byId(eventsIn(onlyJson(theirs.run(['download', ours.address]))))).toEqual(newest)
    const notes = Array.from({ length: 1000 }, (_, n) => ada.event({ created_at: now() - n }))
    const lines = notes.map((event) => `${JSON.stringify(event)}\n`).join('')
    expect(theirs.run(['upload', ours.address], lines)).toContain('Sent 1000 events, 1000 accepted')
    expect(stored()).toHaveLength(COUNT + 1000)
  })
})

const onlyJson = (output: string): string =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .join('\n')
