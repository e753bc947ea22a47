// Every list of the commands on terminals of 40, 60, 80 and 120 columns: what the next command needs is never cut and never left out.
import { describe, expect, test } from 'vitest'
import { type Column, relayListTable, table } from '../../src/cli/index.js'
import { COLUMNS as prunes } from '../../src/commands/backup/prune.js'
import { COLUMNS as settings } from '../../src/commands/config/show.js'
import { COLUMNS as grants } from '../../src/commands/grant/list.js'
import { columnsWith } from '../../src/commands/invoice/list.js'
import { COLUMNS as history } from '../../src/commands/name/history.js'
import { KEPT_BACK as keptBack, COLUMNS as names } from '../../src/commands/name/list.js'
import { COLUMNS as offers } from '../../src/commands/offer/list.js'
import { COLUMNS as payments } from '../../src/commands/payment/list.js'
import { COLUMNS as tills } from '../../src/commands/till/list.js'
import { COLUMNS as deliveries } from '../../src/commands/webhook/list.js'
import { COLUMNS as replays } from '../../src/commands/webhook/replay.js'

const WIDTHS = [40, 60, 80, 120] as const
const ID = '9b1d6a3f0c5e4d7a8b2f1e0d9c8b7a65'
const OTHER = '5f3c0d9e8b7a6f5e4d3c2b1a09f8e7d6'
const LONG = 'c0ffee00'.repeat(8)
const NPUB = `npub1${'q'.repeat(58)}`
const AT = '2026-11-22T10:00:00Z'
const NAME = 'a-name-of-20-letters'

const delivery = {
  ...{
    event_id: ID,
    event_type: 'payment.confirmed' as const,
    state: 'abandoned' as const,
    attempts: 12,
    created_at: AT,
  },
  ...{ invoice_id: OTHER, receiver: 2, next_attempt_at: AT, last_error: 'HTTP 500 from shop.example, twelve times' },
}
const offer = {
  ...{ offer_id: LONG, name: NAME, status: 'consumed' as const, price_grin: '12.5', expires_at: AT },
  ...{ seller_npub: NPUB, buyer_npub: NPUB },
}
const depth = { confirmations: 3, confirmations_required: 10, created_at: AT }

/** A list with one row, and the titles that are shown at each width; `paragraph` where the row is one. */
const of = <Row>(columns: readonly Column<Row>[], row: Partial<Row>) => ({
  shownAt: (width: number): readonly string[] | 'paragraph' => {
    const lines = table([row as Row], columns, width).split('\n')
    return lines.length === 2 ? (lines[0]?.split(/ {2,}/) ?? []) : 'paragraph'
  },
  text: (width: number): string => table([row as Row], columns, width),
})

const LISTS = {
  'invoice list': [
    ID,
    of(columnsWith(new Map()), {
      invoice_id: ID,
      status: 'confirmed',
      amount: '12.5 GRIN',
      order_ref: 'order-1001-of-the-shop',
      ...depth,
    }),
  ],
  'payment list': [
    ID,
    of(payments, {
      ...{ payment_id: ID, status: 'confirmed', amount: '12500000000', rail: 'slatepack', invoice_id: OTHER },
      ...depth,
    } as never),
  ],
  'webhook list': [ID, of(deliveries, delivery)],
  'webhook replay': [ID, of(replays, delivery)],
  'name list': [NAME, of(names, { name: NAME, status: 'suspended', created_at: AT, npub: NPUB })],
  'name list --reserved': [NAME, of(keptBack, { name: NAME, created_at: AT, reason: 'kept back for the shop itself' })],
  'name history': [
    NAME,
    of(history, {
      at: AT,
      action: 'transfer',
      name: NAME,
      actor: 'operator',
      npub: NPUB,
      reason: 'a court order',
    } as never),
  ],
  'grant list': [
    ID,
    of(grants, { invoice_id: ID, resource: 'name', status: 'pending', price_grin: '12.5', created_at: AT, npub: NPUB }),
  ],
  'offer list': [LONG, of(offers, offer)],
  'relay ban --list': [
    LONG,
    of(relayListTable, { list: 'bannedEvents', entry: LONG, since: AT, reason: 'court order 12/26' }),
  ],
  'till list': [
    'the-shop',
    of(tills, { name: 'the-shop', used: true, url: 'https://pay.shop.example', token_file: '/root/tokens/shop' }),
  ],
  'config show': [
    'PAY_CONFIRM_NODES_FROM',
    of(settings, { name: 'PAY_CONFIRM_NODES_FROM', value: '100', origin: '/etc/grinpay/pay.env' } as never),
  ],
  'backup prune': [
    'grinpay-pay-20261122T100000Z.tar.gz.age',
    of(prunes, { what: 'keep', file: 'grinpay-pay-20261122T100000Z.tar.gz.age', because: 'daily, weekly' }),
  ],
} as const

describe.each(Object.entries(LISTS))('%s', (_, [id, list]) => {
  test.each(WIDTHS)('the id is whole at %s columns', (width) => {
    expect(list.text(width).split(/\s+/)).toContain(id)
  })
  test.each(WIDTHS)('no line is wider than %s columns, but for an id or a key that is', (width) => {
    const wide = list
      .text(width)
      .split('\n')
      .filter((line) => line.length > width)
    expect(wide.filter((line) => ![id, OTHER, NPUB].some((word) => line.endsWith(` ${word}`)))).toEqual([])
  })
})

/** What stays at each width, where there is anything to choose. */
test.each([
  [
    'invoice list',
    [
      'paragraph',
      'INVOICE STATUS AMOUNT',
      'INVOICE STATUS AMOUNT DEPTH ORDER',
      'INVOICE STATUS AMOUNT DEPTH CREATED ORDER',
    ],
  ],
  [
    'payment list',
    [
      'paragraph',
      'PAYMENT STATUS AMOUNT',
      'PAYMENT STATUS AMOUNT RAIL INVOICE',
      'PAYMENT STATUS AMOUNT DEPTH RAIL CREATED INVOICE',
    ],
  ],
  [
    'webhook list',
    [
      'paragraph',
      'EVENT TYPE STATE',
      'EVENT TYPE STATE TRIES LAST ERROR',
      'EVENT TYPE STATE TRIES CREATED NEXT LAST ERROR',
    ],
  ],
  ['name list', ['NAME STATUS', 'NAME STATUS NPUB', 'NAME STATUS SINCE NPUB', 'NAME STATUS SINCE NPUB']],
  [
    'grant list',
    ['paragraph', 'INVOICE STATUS PRICE', 'INVOICE FOR STATUS PRICE NPUB', 'INVOICE FOR STATUS PRICE CREATED NPUB'],
  ],
  ['offer list', ['paragraph', 'paragraph', 'paragraph', 'OFFER NAME STATUS PRICE BUYER']],
  ['relay ban --list', ['paragraph', 'paragraph', 'LIST ENTRY', 'LIST ENTRY SINCE REASON']],
] as const)('%s leaves out what its columns say, in their order', (name, expected) => {
  const shown = WIDTHS.map((width) => LISTS[name][1].shownAt(width))
  expect(shown.map((titles) => (titles === 'paragraph' ? titles : titles.join(' ')))).toEqual(expected)
})

describe('the rule', () => {
  const wide: Column<{ readonly id: string }>[] = [
    { title: 'KIND', value: () => 'a kind of thing', shrinks: true },
    { title: 'ID', id: true, value: ({ id }) => id, shrinks: 'first', spare: 9 },
    { title: 'TEXT', value: () => 'a text of this row' },
  ]
  test('an id is neither cut nor left out, whatever its column says', () => {
    expect(table([{ id: ID }], wide, 62).split('\n')[1]).toBe(
      `a kind…  ${ID}  a text of this row`.replace('a kind…', 'a kind …'),
    )
  })
  test('a paragraph begins with it', () => {
    expect(table([{ id: ID }], wide, 40).split('\n')[0]).toBe(`ID    ${ID}`)
  })
})
