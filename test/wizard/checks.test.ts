import { expect, test } from 'vitest'
import { checkRelays } from '../../src/wizard/checks.js'
import { startPlainRelay } from '../support/plain-relay.js'

test('a relay that answers differs from one that does not, in the order given', async () => {
  const relay = await startPlainRelay()
  const gone = await startPlainRelay()
  await gone.close()
  const checks = await checkRelays([gone.url, relay.url])
  expect(checks).toEqual([
    { url: gone.url, ok: false, detail: expect.stringContaining('ECONNREFUSED') },
    { url: relay.url, ok: true, detail: 'answers' },
  ])
  await relay.close()
})

test('no relays, no checks', async () => expect(await checkRelays([])).toEqual([]))
