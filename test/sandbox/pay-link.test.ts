// Pay links as a customer's wallet reads them, against what the till writes.
import { describe, expect, test } from 'vitest'
import { formatNprofile } from '../../src/nostr/nip19/index.js'
import { formatPayLink } from '../../src/nostr/pay-link/index.js'
import { readPayLink } from '../../src/sandbox/pay-target.js'
import { codeOf } from '../support/vectors.js'

const pubkey = 'a48c6c78976724216d9d6ace6d4676faa377d64b5ec6824aa2267ef9cc924978'
const relays = ['wss://relay.one', 'ws://127.0.0.1:7777']
const nprofile = formatNprofile({ pubkey, relays })

describe('a pay link', () => {
  test('gives back what the till put in', () => {
    const link = formatPayLink({
      scheme: 'goblin',
      nprofile,
      amount: '1.5',
      memo: 'Coffee & cake é',
      proof: 'tgrin1abc',
    })
    const read = { pubkey, relays, amount: 1_500_000_000n, memo: 'Coffee & cake é', proof: 'tgrin1abc' }
    expect(readPayLink(link)).toEqual(read)
  })

  test('may be a bare nostr: address in capitals', () => {
    expect(readPayLink(`NOSTR:${nprofile.toUpperCase()}`)).toMatchObject({ pubkey, amount: undefined, memo: undefined })
  })

  test.each([
    ['1', 1_000_000_000n],
    ['.5', 500_000_000n],
    ['5.', 5_000_000_000n],
    ['0.0000000019', 1n],
    ['0', undefined],
    ['0.0000000001', undefined],
    ['-1', undefined],
    ['1e3', undefined],
    ['', undefined],
  ])('with the amount %s asks for %s nanogrin', (text, amount) => {
    expect(readPayLink(`goblin:${nprofile}?amount=${text}`).amount).toBe(amount)
  })

  test.each(['', 'goblin:', 'https://shop.example', `goblin:${nprofile}${'x'.repeat(4096)}`, 'goblin:npub1abc'])(
    'is refused when no wallet could use it: %#',
    async (link) => {
      expect(await codeOf(() => readPayLink(link))).toBe('SANDBOX_PAY_LINK')
    },
  )
})
