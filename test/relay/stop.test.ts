// How the relay ends: accepted events are finished, every client gets a notice, and nothing that was acknowledged is lost.
import { expect, test } from 'vitest'
import type { NostrEvent } from '../../src/nostr/event/index.js'
import { anEvent } from '../support/relay-parts.js'
import { aSession, quiet } from '../support/relay-session.js'

test('what was taken in is stored and answered before it ends', async () => {
  let finish = () => {}
  const verifier = {
    submit(_: NostrEvent, done: (genuine: boolean) => void) {
      finish = () => done(true)
    },
  }
  const session = aSession({ verifier })
  const event = anEvent('anna')
  session.say(['REQ', 's', {}])
  session.say(['EVENT', event])
  await session.answered()
  let isStopped = false
  const stopping = session.relay.stop().then(() => {
    isStopped = true
  })
  await quiet()
  expect(isStopped).toBe(false)
  finish()
  await stopping
  expect(session.store.texts.has(event.id)).toBe(true)
  expect(await session.answered()).toEqual([
    ['OK', event.id, true, ''],
    ['EVENT', 's', event],
    ['CLOSED', 's', 'error: the relay is stopping'],
  ])
})

test('nothing is taken in any more', async () => {
  const session = aSession()
  await session.relay.stop()
  session.say(['EVENT', anEvent('anna')])
  expect(await session.answered()).toEqual([])
  expect(session.store.texts.size).toBe(0)
})

test('a signature that is never judged does not keep it', async () => {
  const session = aSession({ verifier: { submit: () => {} } })
  session.say(['EVENT', anEvent('anna')])
  const stopping = session.relay.stop()
  await session.clock.advance(7000)
  await stopping
})

test('stopping again is the same stop', async () => {
  const { relay } = aSession()
  await expect(Promise.all([relay.stop(), relay.stop()])).resolves.toBeDefined()
})
