import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventId, type NostrEvent } from '../../../src/nostr/event/index.js'
import { createWrapIntake } from '../../../src/nostr/relays/wrap-intake.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { anyPubkey, wrapTo } from '../../support/relay-pool.js'

const OURS = anyPubkey(1)
const LEFT = anyPubkey(2)

function aMail(hasRoom: () => boolean = () => true) {
  const clock = createFakeClock()
  const passed: NostrEvent[] = []
  const mail = createWrapIntake({
    clock,
    isWatched: (key) => key === OURS,
    isRetired: (key) => key === LEFT,
    onWrap: (wrap) => hasRoom() && passed.push(wrap) > 0,
  })
  return { clock, passed, deliver: (value: unknown) => mail.deliver(value, 'wss://r'), forget: mail.forget }
}

/** Another event of the same shape with a true id. */
const altered = (wrap: NostrEvent, change: Partial<NostrEvent>): NostrEvent => {
  const event = { ...wrap, ...change }
  return { ...event, id: eventId(event) }
}

const WRAP = wrapTo(OURS)

test('a wrap is passed on once within two minutes', async () => {
  const { deliver, passed, clock } = aMail()
  expect([deliver(WRAP), deliver(WRAP)]).toEqual([
    { wrap: WRAP, to: OURS },
    { wrap: WRAP, to: OURS },
  ])
  expect(passed).toEqual([WRAP])
  await clock.advance(120_000)
  deliver(WRAP)
  expect(passed.length).toBe(2)
})

test('what found no room was not passed on', () => {
  let room = false
  const { deliver, passed } = aMail(() => room)
  expect(deliver(WRAP)).toBe('no-room')
  room = true
  deliver(WRAP)
  expect(passed).toEqual([WRAP])
})

test('a forged copy does not keep the true one out', () => {
  const { deliver, passed } = aMail()
  const forged = { ...WRAP, content: 'other' }
  const badlySigned = { ...WRAP, sig: '0'.repeat(128) }
  expect([deliver(forged), deliver(badlySigned), deliver(WRAP)]).toEqual([
    'false-id',
    { wrap: badlySigned, to: OURS },
    { wrap: WRAP, to: OURS },
  ])
  expect(passed).toEqual([badlySigned, WRAP])
})

test('what is to be fetched again is passed on again', () => {
  const { deliver, passed, forget } = aMail()
  deliver(WRAP)
  forget(new Set([LEFT]))
  deliver(WRAP)
  expect(passed.length).toBe(1)
  forget(new Set([OURS]))
  deliver(WRAP)
  expect(passed.length).toBe(2)
})

test('twenty thousand are remembered, no more', () => {
  const { deliver, passed } = aMail()
  for (let n = 0; n <= 20_000; n++) deliver({ ...WRAP, sig: n.toString(16).padStart(128, '0') })
  deliver({ ...WRAP, sig: '1'.padStart(128, '0') })
  expect(passed.length).toBe(20_001)
  deliver({ ...WRAP, sig: '0'.repeat(128) })
  expect(passed.length).toBe(20_002)
})

test.each([
  ['another kind', altered(WRAP, { kind: 1 }), 'unasked'],
  ['an unknown key', wrapTo(anyPubkey(3)), 'unasked'],
  ['no addressee', altered(WRAP, { tags: [] }), 'unasked'],
  ['a key that has just left', wrapTo(LEFT), 'dropped'],
  ['two addressees', wrapTo(OURS, '', 0, [['p', LEFT]]), 'dropped'],
  ['twice the same', wrapTo(OURS, '', 0, [['p', OURS]]), 'dropped'],
  ['an addressee without a value', wrapTo(OURS, '', 0, [['p']]), 'dropped'],
  ['no event', { ...WRAP, sig: 1 }, 'dropped'],
  ['nothing', null, 'dropped'],
])('%s', (_, value, verdict) => {
  const { deliver, passed } = aMail()
  expect([deliver(value), passed]).toEqual([verdict, []])
})

test('whatever comes: what is passed on is a wrap to us with a true id', () => {
  const member = fc.constantFrom('id', 'pubkey', 'created_at', 'kind', 'tags', 'content', 'sig')
  const mutation = fc.tuple(
    member,
    fc.oneof(fc.jsonValue(), fc.constant([['p', OURS]]), fc.constant(1059)),
    fc.boolean(),
  )
  fc.assert(
    fc.property(fc.array(mutation, { maxLength: 3 }), (mutations) => {
      const { deliver, passed } = aMail()
      let value: Record<string, unknown> = { ...WRAP }
      for (const [name, to, heal] of mutations) {
        value = { ...value, [name]: to }
        if (heal) value = { ...value, id: eventId(value as unknown as NostrEvent) }
      }
      deliver(value)
      for (const wrap of passed) {
        expect([wrap.kind, wrap.tags.filter(([tag]) => tag === 'p').map(([, key]) => key)]).toEqual([1059, [OURS]])
        expect(wrap.id).toBe(eventId(wrap))
      }
    }),
  )
})
