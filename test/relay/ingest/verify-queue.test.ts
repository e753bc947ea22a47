// Whose signature is checked next, and what a flood of bad ones costs whom.
import { expect, test } from 'vitest'
import { eventText, type NostrEvent } from '../../../src/nostr/event/index.js'
import {
  Backlog,
  createVerifyQueue,
  type EventOrigin,
  type PendingEvent,
} from '../../../src/relay/ingest/verify-queue.js'
import { anEvent } from '../../support/relay-parts.js'
import { aSession, sessionOn } from '../../support/relay-session.js'

const NOTE = anEvent('anna')

/** A verifier that answers one signature a step. */
function slowVerifier(isGood: (event: NostrEvent) => boolean = () => true) {
  const submitted: { readonly event: NostrEvent; readonly done: (genuine: boolean) => void }[] = []
  return {
    submit: (event: NostrEvent, done: (genuine: boolean) => void) => void submitted.push({ event, done }),
    submitted,
    step() {
      const next = submitted.shift()
      next?.done(isGood(next.event))
    },
  }
}

function originNamed(name: string): EventOrigin & { readonly name: string } {
  return {
    name,
    source: { type: 'IP4', info: name },
    keys: [],
    backlog: new Backlog(),
    answered: () => {},
    proven: () => {},
  }
}

const takenFrom = (origin: EventOrigin, event = NOTE): PendingEvent => ({
  origin,
  text: eventText(event) ?? expect.unreachable(),
  purpose: 'publish',
  receivedAt: 0,
})

test('lanes take turns, however long one of them is', () => {
  const verifier = slowVerifier()
  const order: string[] = []
  const lanes = createVerifyQueue({ verifier, verified: ({ origin }) => order.push(origin.source.info) })
  const [long, short] = [originNamed('long'), originNamed('short')]
  for (let at = 0; at < 1000; at++) lanes.push(takenFrom(long))
  for (let at = 0; at < 3; at++) lanes.push(takenFrom(short))
  for (let at = 0; at < 12; at++) verifier.step()
  expect(order.filter((name) => name === 'short')).toHaveLength(3)
})

test('every signature is reported once, in the order of its connection', () => {
  const verifier = slowVerifier()
  const verifiedEvents: PendingEvent[] = []
  const lanes = createVerifyQueue({ verifier, verified: (event) => verifiedEvents.push(event) })
  const origin = originNamed('anna')
  const all = Array.from({ length: 500 }, () => takenFrom(origin))
  for (const event of all) lanes.push(event)
  while (verifier.submitted.length > 0) verifier.step()
  expect(verifiedEvents).toEqual(all)
  expect(lanes.depth()).toEqual({ waiting: 0, underWay: 0 })
})

test('a good lane gets more under way at once, a bad one only one', () => {
  const verifier = slowVerifier(({ sig }) => sig === NOTE.sig)
  const lanes = createVerifyQueue({ verifier, verified: () => {} })
  const [good, bad] = [originNamed('good'), originNamed('bad')]
  const forged = { ...NOTE, sig: 'f'.repeat(128) }
  for (let at = 0; at < 200; at++) lanes.push(takenFrom(good))
  for (let at = 0; at < 100; at++) verifier.step()
  for (let at = 0; at < 20; at++) lanes.push(takenFrom(bad, forged))
  while (bad.backlog.share > 1) verifier.step()
  expect(bad.backlog.underWay).toBeLessThanOrEqual(8)
  while (verifier.submitted.length > 8) verifier.step()
  expect([good.backlog.share > 8, bad.backlog.share]).toEqual([true, 1])
})

test('beside a flood of bad signatures a good event waits for a few signatures, not for the flood', async () => {
  const verifier = slowVerifier(({ sig }) => sig !== 'f'.repeat(128))
  const { relay } = aSession({ verifier })
  const [flood, good] = [sessionOn(relay), sessionOn(relay)]
  for (let at = 0; at < 250; at++) flood.say(['EVENT', { ...anEvent('x', { content: `${at}` }), sig: 'f'.repeat(128) }])
  for (let at = 0; at < 3; at++) verifier.step()
  good.say(['EVENT', NOTE])
  let steps = 0
  while (good.connection.messages.length === 0 && steps < 250) {
    verifier.step()
    await good.answered().then((answers) => good.connection.messages.push(...answers))
    steps++
  }
  expect(steps).toBeLessThanOrEqual(8)
})

test('a client that sends only bad signatures gets a notice, and loses the connection', async () => {
  const session = aSession()
  for (let at = 0; at < 40; at++)
    session.say(['EVENT', { ...anEvent('x', { content: `${at}` }), sig: 'f'.repeat(128) }])
  const answers = []
  for (let turn = 0; turn < 4; turn++) answers.push(...(await session.answered()))
  const texts = answers.map(([, , , text]) => text)
  expect(texts.filter((text) => text === 'invalid: bad signature').length).toBeLessThanOrEqual(25)
  expect(texts).toContain('rate-limited: too many bad signatures')
  expect(session.connection.endedBy).toBe('1008 rate-limited: too many bad signatures')
  expect(session.relay.metrics().held).toBe(0)
})

test('a new connection gets a little verified, and is not read until half of that is done', async () => {
  const verifier = slowVerifier()
  const session = aSession({ verifier })
  for (let at = 0; at < 30; at++) session.say(['EVENT', anEvent('x', { content: `${at}` })])
  await session.answered()
  expect([session.relay.metrics().held, session.connection.isPaused]).toEqual([16, true])
  for (let at = 0; at < 10; at++) verifier.step()
  await session.answered()
  expect([session.relay.metrics().held, session.connection.isPaused]).toEqual([20, true])
  for (let at = 0; at < 10; at++) verifier.step()
  await session.answered()
  expect([session.relay.metrics().held, session.connection.isPaused]).toEqual([10, false])
})

test('a connection that says much in one turn lets the others have theirs', async () => {
  const session = aSession()
  for (let at = 0; at < 100; at++) session.say(['REQ', 'x'])
  expect(session.connection.isPaused).toBe(true)
  expect(await session.answered()).toHaveLength(100)
  expect(session.connection.isPaused).toBe(false)
})
