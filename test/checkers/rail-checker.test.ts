// The judge of the fault rounds is judged: whatever a broken till or store does, it finds.
import { afterEach, expect, test } from 'vitest'
import type { NostrEvent } from '../../src/nostr/event/index.js'
import { openSqlite } from '../../src/storage/sqlite/sqlite.js'
import { findRailFaults, findUnfinished, type RailWorld } from '../faults/rail-checker.js'
import { newRailPayer, payment, type RailPayer } from '../faults/rail-payers.js'
import { armoredS1 } from '../support/hostile-slatepacks.js'
import { newKey } from '../support/relay-pool.js'
import { openTemporaryStore } from '../support/temporary-store.js'
import { anEvent, anInvoice, aPayment, aSlateId, NOON, WORKER } from '../support/till-builders.js'

const RELAY = 'ws://127.0.0.1:7777'
const AMOUNT = 2_000_000_000n
const opened: { remove(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.remove()
})

/** What a payer of this till would read: any slate, by any key. */
function messageTo(payer: RailPayer, from: RailPayer['secret'], armor: string): NostrEvent {
  return payment({ ...payer, secret: from, to: payer.pubkey, s1: armor, wraps: [] }, NOON)
}

/** A till that took one payment, sent its S2 and keeps all it must. */
async function anHonestTill() {
  const kept = await openTemporaryStore()
  opened.push(kept)
  const { store, path } = kept
  const key = newKey()
  const slateId = aSlateId()
  const invoice = anInvoice({ recipientPubkey: key.pubkey })
  await store.insertInvoice(invoice, NOON)
  const about = { slateId, s1: armoredS1({ amount: AMOUNT }, { id: slateId }), to: key.pubkey, invoiceId: invoice.id }
  const payer = newRailPayer({ ...about, isRival: false })
  const s1 = payment(payer, NOON)
  const reply = armoredS1({ amount: AMOUNT }, { id: slateId, state: 'S2' })
  const keyIndex = await store.takeKeyIndex()
  const row = { id: slateId, invoiceId: invoice.id, rail: 'nostr', payer: payer.pubkey, reply, keyIndex } as const
  const paid = aPayment({ ...row, recipientPubkey: key.pubkey })
  const event = anEvent({ invoiceId: invoice.id, paymentId: slateId })
  await store.acceptPayment(paid, event, NOON, NOON, { messages: [{ kind: 'reply', layout: 'plain' }] })
  await store.markSeen([s1.id], NOON)
  const message = messageTo(payer, key.secret.reveal(), reply)
  await store.recordPosting(slateId, 'reply', { acceptedBy: [RELAY], error: null, nextAttemptAt: null, by: WORKER })
  const wraps: NostrEvent[] = [message]
  const world: RailWorld = {
    path,
    relays: [{ url: RELAY, wrapsTo: (pubkey) => (pubkey === payer.pubkey ? wraps : []) }],
    payers: [payer],
    invoices: new Set([invoice.id]),
  }
  return {
    world,
    payer,
    wraps,
    secret: key.secret.reveal(),
    reply,
    tamper(sql: string) {
      const db = openSqlite(path, 'durable')
      db.script(`PRAGMA foreign_keys=OFF; PRAGMA ignore_check_constraints=ON; ${sql}`)
      db.close()
    },
  }
}

type Till = Awaited<ReturnType<typeof anHonestTill>>

const others = (till: Till) => armoredS1({ amount: AMOUNT }, { id: till.payer.slateId, state: 'S2' })

/** How a till could be broken, and the word that gives it away. */
const BREAKS: readonly (readonly [what: string, how: (till: Till) => void, found: RegExp])[] = [
  ['drops a letter', (till) => till.tamper('DELETE FROM letter'), /owes no reply/],
  ['gives a letter up', (till) => till.tamper("UPDATE letter SET state = 'given-up', accepted_by = '[]'"), /given up/],
  [
    'ends a reply that no relay accepted',
    (till) => till.tamper("UPDATE letter SET accepted_by = '[]'"),
    /ended without a relay/,
  ],
  ['says sent what no relay has', (till) => void till.wraps.splice(0), /do not hold/],
  [
    'sends a second S2 with other bytes',
    (till) => void till.wraps.push(messageTo(till.payer, till.secret, others(till))),
    /2 different S2/,
  ],
  [
    'sends another S2 than it stored',
    (till) => void till.wraps.splice(0, 1, messageTo(till.payer, till.secret, others(till))),
    /not the stored one/,
  ],
  [
    'answers from another key',
    (till) => void till.wraps.push(messageTo(till.payer, newKey().secret.reveal(), till.reply)),
    /another key than the paid one/,
  ],
  [
    'forgets a payment',
    (till) =>
      till.tamper("DELETE FROM letter; DELETE FROM payment; UPDATE invoice SET payment_id = NULL, status = 'open'"),
    /without a payment/,
  ],
  [
    'marks an S1 as seen and forgets it',
    (till) => {
      till.wraps.splice(0)
      till.tamper(
        "DELETE FROM letter; DELETE FROM event; DELETE FROM payment; UPDATE invoice SET payment_id = NULL, status = 'open'",
      )
    },
    /seen, and not dealt with/,
  ],
  ['loses an invoice', (till) => till.tamper('DELETE FROM invoice'), /is gone/],
  [
    'tells the shop twice',
    (till) =>
      till.tamper(
        "INSERT INTO event SELECT seq + 1, 'again', receiver, type, invoice_id, payment_id, line, created_at, state, attempts, next_attempt_at, last_error, failed, body FROM event",
      ),
    /exactly one received event/,
  ],
  ['takes a key twice', (till) => till.tamper('UPDATE wallet SET next_key_index = 0'), /still to be handed out/],
  [
    'answers with a slate of another payer',
    (till) => void till.wraps.push(messageTo(till.payer, till.secret, armoredS1({ amount: AMOUNT }, { state: 'S2' }))),
    /that no payer asked for/,
  ],
]

test('an honest till is found without fault', async () => {
  const { world } = await anHonestTill()
  expect([...findRailFaults(world), ...findUnfinished(world)]).toEqual([])
})

test.each(BREAKS)('a till that %s is found', async (_, how, found) => {
  const till = await anHonestTill()
  how(till)
  expect(findRailFaults(till.world).join('\n')).toMatch(found)
})

test('who was never answered is found once everybody should be', async () => {
  const till = await anHonestTill()
  till.wraps.splice(0)
  expect(findUnfinished(till.world).join('\n')).toMatch(/0 S2/)
  till.tamper("UPDATE letter SET state = 'pending', next_attempt_at = 1")
  expect(findUnfinished(till.world).join('\n')).toMatch(/still owed/)
})
