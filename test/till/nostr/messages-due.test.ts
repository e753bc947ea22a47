import { expect, test } from 'vitest'
import type { Payment, TillSettings } from '../../../src/till/index.js'
import { noticeText } from '../../../src/till/nostr/outgoing.js'
import { messagesOnConfirmation, messagesOnReceipt } from '../../../src/till/nostr/rail.js'
import { grin } from '../../support/till-builders.js'

type Notices = Pick<TillSettings, 'notifyMerchant' | 'merchantPubkey' | 'notifyPayer'>
const PAYER = 'a'.repeat(64)
const MERCHANT: Notices = { notifyMerchant: true, merchantPubkey: 'b'.repeat(64) }
const over = (rail: Payment['rail'], payer: string | null = null) => ({ rail, payer })
const kindsOf = (...given: Parameters<typeof messagesOnReceipt>) => messagesOnReceipt(...given).map(({ kind }) => kind)

test('who pays over Nostr is answered in the layout of the own message', () => {
  expect(messagesOnReceipt(over('nostr', PAYER), {}, 'json')).toEqual([{ kind: 'reply', layout: 'json' }])
  expect(messagesOnReceipt(over('nostr', PAYER), {})).toEqual([{ kind: 'reply', layout: 'plain' }])
})

test('other rails hand the reply out themselves', () => {
  expect([messagesOnReceipt(over('slatepack'), {}), messagesOnReceipt(over('grin1'), {})]).toEqual([[], []])
})

test('the payer is thanked where the rail names one', () => {
  expect(kindsOf(over('nostr', PAYER), { notifyPayer: true })).toEqual(['reply', 'thanks'])
  expect(kindsOf(over('slatepack'), { notifyPayer: true })).toEqual([])
})

test.each(['nostr', 'slatepack', 'grin1'] as const)('the merchant hears of a payment over %s, twice', (rail) => {
  expect(kindsOf(over(rail, rail === 'nostr' ? PAYER : null), MERCHANT)).toContain('merchant-received')
  expect(messagesOnConfirmation(MERCHANT)).toEqual([{ kind: 'merchant-confirmed', layout: 'plain' }])
})

test('without a key no message is due', () => {
  expect(kindsOf(over('slatepack'), { notifyMerchant: true })).toEqual([])
  expect(messagesOnConfirmation({ notifyMerchant: true })).toEqual([])
  expect(messagesOnConfirmation({ ...MERCHANT, notifyMerchant: false })).toEqual([])
})

test('the words', () => {
  const payment = { id: '0436430c-2b02-624c-2032-570501212b00', amount: grin(2.5) }
  expect(noticeText('thanks', payment)).toBe('[grinpay] Payment of 2.5 GRIN received. Thank you.')
  expect(noticeText('merchant-received', payment)).toBe(
    '[grinpay] Received 2.5 GRIN (slate 0436430c-2b02-624c-2032-570501212b00).',
  )
  expect(noticeText('merchant-confirmed', payment)).toBe(
    '[grinpay] Confirmed 2.5 GRIN (slate 0436430c-2b02-624c-2032-570501212b00).',
  )
})
