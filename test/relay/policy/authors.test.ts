import { expect, test } from 'vitest'
import { formatNpub } from '../../../src/nostr/nip19/index.js'
import { readAuthors } from '../../../src/relay/policy/authors.js'
import { parseKinds } from '../../../src/relay/policy/kinds.js'

const ADA = 'a1'.repeat(32)
const npub = formatNpub(ADA)

test('keys are 64 hex in any case, or an npub', () => {
  expect([...readAuthors([ADA, ADA.toUpperCase(), ` ${npub} `, '']).keys]).toEqual([ADA])
})

test('what is no key is told and lets nobody in', () => {
  const mistyped = `${npub.slice(0, -1)}${npub.endsWith('q') ? 'p' : 'q'}`
  const { keys, invalid } = readAuthors(['dead', mistyped, 'npub1notvalid', ADA])
  expect([...keys]).toEqual([ADA])
  expect(invalid).toEqual(['dead', mistyped, 'npub1notvalid'])
})

test('a list of kinds is read whole or not at all', () => {
  expect([...parseKinds(' 1, 7,30023')]).toEqual([1, 7, 30023])
  for (const text of ['', ' ', ',', '1,', '1,x', '-1', '1.5', '65536', '1 7', '0x1', '1e3'])
    expect(() => parseKinds(text), text).toThrow(RangeError)
})
