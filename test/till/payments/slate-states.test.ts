import { describe, expect, test } from 'vitest'
import { INVOICE_STATUSES, type InvoiceStatus, type Settlement } from '../../../src/till/model.js'
import { type SlateRecords, stateRefusal } from '../../../src/till/payments/slate-states.js'
import { aSlate } from '../../support/fake-wallet.js'
import { DAY, grin } from '../../support/till-builders.js'
import { type OpenedTill, openTill } from '../../support/till-parts.js'

const NONE: SlateRecords = { payment: undefined, invoiceSlate: undefined }
const paidBy = (settlement: Settlement): SlateRecords => ({ ...NONE, payment: { settlement } })
const ourI1 = (state: 'open' | 'closed'): SlateRecords => ({ ...NONE, invoiceSlate: { state } })

const FOREIGN = [
  'SLATE_WRONG_STATE',
  'INVOICE_ALREADY_PAID',
  'INVOICE_ALREADY_PAID',
  'INVOICE_EXPIRED',
  'INVOICE_CANCELLED',
]
const always = (code: string) => INVOICE_STATUSES.map(() => code)
const judged = always('judged later')

/** What was pasted, and the refusal on the page of an open, paid, confirmed, expired and cancelled invoice. */
const TABLE: readonly (readonly [what: string, state: string, SlateRecords, readonly string[]])[] = [
  ['a new payment', 'S1', NONE, judged],
  ['a payment that we answered', 'S1', paidBy('replied'), judged],
  ['our reply, not finished', 'S2', paidBy('replied'), always('SLATE_OUR_REPLY')],
  ['our reply, not handed out before', 'S2', paidBy('received'), always('SLATE_OUR_REPLY')],
  ['our reply to a payment given up', 'S2', paidBy('abandoned'), always('SLATE_OUR_REPLY')],
  ['our reply, seen', 'S2', paidBy('seen'), always('SLATE_PAYMENT_COMPLETE')],
  ['our reply, mined', 'S2', paidBy('mined'), always('SLATE_PAYMENT_COMPLETE')],
  ['our reply, confirmed', 'S2', paidBy('confirmed'), always('SLATE_PAYMENT_COMPLETE')],
  ['the reply of somebody else', 'S2', NONE, FOREIGN],
  ['a finished payment', 'S3', paidBy('replied'), always('SLATE_FINISHED')],
  ['a finished payment, mined', 'S3', paidBy('mined'), always('SLATE_PAYMENT_COMPLETE')],
  ['a finished payment to somebody else', 'S3', NONE, FOREIGN],
  [
    'our invoice slate',
    'I1',
    ourI1('open'),
    ['SLATE_OUR_INVOICE', ...INVOICE_STATUSES.slice(1).map(() => 'SLATE_OUR_INVOICE_OVER')],
  ],
  ['our invoice slate, closed', 'I1', ourI1('closed'), always('SLATE_OUR_INVOICE_OVER')],
  ['our invoice slate, paid', 'I1', paidBy('replied'), always('SLATE_PAYMENT_COMPLETE')],
  ['the invoice of somebody else', 'I1', NONE, FOREIGN],
  ['the answer to our invoice slate', 'I2', ourI1('open'), judged],
  ['the answer to a closed one', 'I2', ourI1('closed'), judged],
  ['the answer, again', 'I2', paidBy('replied'), judged],
  ['the answer to another invoice', 'I2', NONE, FOREIGN],
  ['our completed invoice payment', 'I3', paidBy('replied'), always('SLATE_PAYMENT_COMPLETE')],
  ['an invoice payment of somebody else', 'I3', NONE, FOREIGN],
  ['an unknown state', 'NA', NONE, FOREIGN],
]

describe.each(TABLE)('%s (%s)', (_, state, records, codes) => {
  test.each(INVOICE_STATUSES.map((status, at) => [status, codes[at]] as const))(
    'on the page of an invoice that is %s: %s',
    (status, code) => {
      expect(stateRefusal({ state }, records, { status })?.code ?? 'judged later').toBe(code)
    },
  )
})

test('only a new payment is ever to be cancelled', () => {
  for (const [what, state, records] of TABLE)
    for (const status of INVOICE_STATUSES) {
      const { message = '', hint = '' } = stateRefusal({ state }, records, { status }) ?? {}
      expect(`${message} ${hint}`.replace(/do not cancel|was cancelled/g, ''), `${what}, ${status}`).not.toMatch(
        /cancel/i,
      )
    }
})

const SLATE_ID = '0436430c-2b02-624c-2032-570501212b00'

/** The words for the payer; a paste that is answered has none. */
const words = async (paste: Promise<unknown>): Promise<string> =>
  paste.then(
    () => 'answered',
    (thrown: unknown) =>
      thrown instanceof Error && 'hint' in thrown ? `${thrown.message}; ${thrown.hint}` : `${thrown}`,
  )

describe('pasted on the page of an invoice', () => {
  const invoiceOf = async ({ till }: OpenedTill) =>
    (await till.createInvoice({ amountNanogrin: grin(2), expirySecs: 86_400 })).invoice

  test('our reply is finished in the wallet, on its own page and on another', async () => {
    const opened = openTill()
    const [mine, other] = [await invoiceOf(opened), await invoiceOf(opened)]
    await opened.till.pasteSlatepack(mine.token, aSlate({ id: SLATE_ID }))
    for (const { token } of [mine, other])
      expect(await words(opened.till.pasteSlatepack(token, aSlate({ id: SLATE_ID, state: 'S2' })))).toMatch(
        /our reply.*finalize/,
      )
    expect((await opened.till.findInvoice(other.id))?.status).toBe('open')
  })

  test('our invoice slate is paid in the wallet', async () => {
    const opened = openTill({ settings: { grin1Rail: true } })
    const { token, slateId } = await invoiceOf(opened)
    expect(await words(opened.till.pasteSlatepack(token, aSlate({ id: slateId ?? '', state: 'I1' })))).toMatch(
      /our invoice.*pay/,
    )
  })

  test('the answer to another invoice belongs on its page, also where this one is paid', async () => {
    const opened = openTill({ settings: { grin1Rail: true } })
    const [paid, other] = [await invoiceOf(opened), await invoiceOf(opened)]
    await opened.till.pasteSlatepack(paid.token, aSlate())
    expect(
      await words(opened.till.pasteSlatepack(paid.token, aSlate({ id: other.slateId ?? '', state: 'I2' }))),
    ).toMatch(/page of that invoice/)
  })

  test('a second payer reads "paid" only of a payment that the network has', async () => {
    const opened = openTill()
    const { token, id } = await invoiceOf(opened)
    await opened.till.pasteSlatepack(token, aSlate({ id: SLATE_ID }))
    const second = () => words(opened.till.pasteSlatepack(token, aSlate()))
    expect(await second()).toBe(
      'another payment of this invoice is signed already and waits for the network; this slatepack was not accepted; cancel the new send in the wallet; the first payment counts',
    )
    expect(await words(opened.till.pasteSlatepack(token, 'half'))).toMatch(/^another payment .* is signed already/)
    opened.store.db.run("UPDATE payment SET settlement = 'seen' WHERE id = ?", [SLATE_ID])
    expect((await opened.till.findInvoice(id))?.status).toBe('paid')
    expect(await second()).toMatch(/^this invoice is already paid; /)
  })

  test.each<[InvoiceStatus, (opened: OpenedTill, token: string) => Promise<unknown>]>([
    ['paid', ({ till }, token) => till.pasteSlatepack(token, aSlate())],
    ['expired', ({ clock }) => clock.advance(DAY)],
  ])('what cannot be read cancels nothing where it is %s', async (_, close) => {
    const opened = openTill()
    const { token } = await invoiceOf(opened)
    await close(opened, token)
    expect(await words(opened.till.pasteSlatepack(token, 'BEGINSLATEPACK. half of our rep'))).not.toMatch(/cancel/)
  })
})
