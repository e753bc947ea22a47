// Events into a relay that runs, over a real socket.
import { afterEach, expect, test } from 'vitest'
import { openPublisher } from '../../../src/relay/index.js'
import { createOpenWebSocket, systemClock } from '../../../src/system/index.js'
import { openVerifier } from '../../../src/workers/index.js'
import { anEvent, relaySettings, type SettingChanges } from '../../support/relay-parts.js'
import { servedRelay } from '../../support/served-relay.js'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** A relay, and who publishes to it; pauses let its time pass. */
async function publishing(limits: SettingChanges['limits'] = {}) {
  const settings = relaySettings({ limits })
  const relay = await servedRelay({ settings })
  const verifier = openVerifier({ threads: 0 })
  undo.push(relay.close, verifier.close)
  let pauses = 0
  const sleep = (ms: number, signal?: AbortSignal) => {
    if (signal) return systemClock.sleep(ms, signal)
    pauses++
    return relay.clock.advance(ms)
  }
  const { take, close } = await openPublisher({
    url: relay.url,
    openSocket: createOpenWebSocket(),
    clock: { ...systemClock, sleep },
    timeoutMs: 5000,
    verifier,
    maxMessageBytes: settings.limits.maxMessageBytes,
  })
  undo.push(close)
  return { take, store: relay.store, pauses: () => pauses }
}

const NOTES = ['1', '2', '3', '4'].map((content) => anEvent('ada', { content }))

test('what would end the connection is kept back, and the others go in', async () => {
  const { take, store } = await publishing({ maxMessageBytes: 2000 })
  const forged = { ...NOTES[0], sig: NOTES[1]?.sig }
  const large = anEvent('ada', { content: 'x'.repeat(2000) })
  const said = await take([
    large,
    ...Array.from({ length: 40 }, () => forged),
    { ...NOTES[0], content: 'y' },
    7,
    NOTES[2],
  ])
  expect([...new Set(said.map(({ text }) => text))]).toEqual([
    'invalid: event too large',
    'invalid: bad signature',
    'invalid: id is not that of the content',
    'invalid: not an event',
    '',
  ])
  expect([...store.texts.keys()]).toEqual([NOTES[2]?.id])
})

test('a limit of events a minute is waited for', async () => {
  const { take, store, pauses } = await publishing({ eventsPerMinute: 2 })
  expect((await take(NOTES)).map(({ text }) => text)).toEqual(['', '', '', ''])
  expect(store.texts.size).toBe(4)
  expect(pauses()).toBeGreaterThan(0)
})

test('a second copy of an event in one batch is a duplicate', async () => {
  const { take, store } = await publishing()
  const said = await take([NOTES[0], NOTES[1], NOTES[0]])
  expect(said.map(({ text }) => text.startsWith('duplicate:'))).toEqual([false, false, true])
  expect(store.texts.size).toBe(2)
})
