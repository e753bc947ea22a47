// The relay over a real socket, from the handshake to the goodbye.
import { afterEach, expect, test } from 'vitest'
import { anEvent } from '../support/relay-parts.js'
import { type ServedRelay, servedRelay } from '../support/served-relay.js'

let served: ServedRelay | undefined
afterEach(async () => {
  await served?.close()
  served = undefined
})

test('an event is stored, found, and passed on to who listens', async () => {
  served = await servedRelay()
  const [reader, author] = [await served.client(), await served.client()]
  const [first, second] = [anEvent('anna', { content: 'one' }), anEvent('anna', { content: 'two' })]
  author.send(['EVENT', first])
  expect(await author.next()).toEqual(['OK', first.id, true, ''])
  reader.send(['REQ', 's', { kinds: [1] }])
  expect(await reader.until('EOSE')).toEqual([
    ['EVENT', 's', first],
    ['EOSE', 's'],
  ])
  author.send(['EVENT', second])
  expect(await reader.next()).toEqual(['EVENT', 's', second])
})
