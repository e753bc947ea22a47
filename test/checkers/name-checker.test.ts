// The judge of the name authority's fault rounds is judged: whatever a broken authority or store does, it finds.
import Database from 'libsql'
import { afterEach, expect, test } from 'vitest'
import type { NameClaim, Offer } from '../../src/authority/index.js'
import { shapeOf } from '../../src/authority/index.js'
import type { OpenNameStore } from '../../src/storage/index.js'
import { findNameFaults } from '../faults/name-checker.js'
import { areAlike } from '../faults/name-history.js'
import { type Attempt, emptyNameLog, type Life, type NameLog, type Order, type Verb } from '../faults/name-log.js'
import { aGrant, aKey, anOffer } from '../support/name-builders.js'
import { openTemporaryNames } from '../support/temporary-store.js'
import { freshHex, MINUTE, NOON, SECOND } from '../support/till-builders.js'

const FREE: Life = { cooldownMs: 10 * MINUTE, isPaid: false }
const PAID: Life = { ...FREE, isPaid: true }
const MAX_AGE = 60
const EXCESS = freshHex(66)
const [ADA, BOB, CYD, DAN, EVE, FAY, GUS] = [aKey(), aKey(), aKey(), aKey(), aKey(), aKey(), aKey()]

const opened: { remove(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.remove()
})

interface World {
  readonly path: string
  readonly store: OpenNameStore
  readonly log: NameLog
  readonly offer: Offer
  /** Of the revoked one. */
  readonly other: Offer
  /** Notes a request that was answered after `at` with `status`, and its event as used. */
  ask(verb: Verb, key: string, name: string, at: number, over?: Partial<Wanted>): Promise<Attempt>
  claim(key: string, name: string, at: number, over?: Partial<NameClaim>): Promise<void>
  tamper(sql: string): void
}

interface Wanted {
  readonly status: number
  readonly life: Life
  readonly offer: string
  readonly excess: string
}

const DONE: Readonly<Record<Verb, number>> = { claim: 201, release: 200, lodge: 201, revoke: 200, buy: 201 }
const after = (seconds: number): number => NOON + seconds * SECOND

async function anHonestWorld(): Promise<World> {
  const kept = await openTemporaryNames()
  opened.push(kept)
  const { store, path } = kept
  const log = emptyNameLog(MAX_AGE)
  const offer = anOffer('zora', { seller: ADA, buyer: EVE })
  const other = anOffer('wexu', { seller: CYD, buyer: GUS })
  const world: World = {
    path,
    store,
    log,
    offer,
    other,
    async ask(verb, key, name, at, { status = DONE[verb], life = FREE, ...terms } = {}) {
      const id = freshHex(64)
      const createdAt = Math.floor(at / 1000)
      const attempt: Attempt = { life, sentAt: at - 5, endedAt: at + 5, status, error: undefined }
      const again: Attempt = { ...attempt, sentAt: at + 6, endedAt: at + 7, status: 401, error: 'auth event replayed' }
      const wire = { method: 'POST', path: '/', body: undefined, authorization: '' } as const
      log.asked.push({ id, createdAt, verb, key, name, ...terms, wire, attempts: [attempt, again] })
      await store.recordAuth(id, (createdAt + MAX_AGE + 65) * 1000)
      return attempt
    },
    async claim(key, name, at, over) {
      const claim = { shape: shapeOf(name), pubkey: key, now: at, cooldownMs: FREE.cooldownMs, paid: false, ...over }
      const { outcome } = await store.claimName(claim)
      if (outcome !== 'claimed') throw new Error(`${name}: ${outcome}`)
      await world.ask('claim', key, name, at, { life: over?.paid ? PAID : FREE })
    },
    tamper(sql) {
      const db = new Database(path)
      db.exec('PRAGMA ignore_check_constraints=ON; DROP TRIGGER audit_keeps_rows; DROP TRIGGER audit_keeps_words')
      db.exec(sql)
      db.close()
    },
  }
  await nameLives(world)
  await salesAndOrders(world)
  return world
}

/** Bob gives his name up; Cyd paid for hers, Dan paid and has not claimed yet. */
async function nameLives({ store, log, claim, ask }: World): Promise<void> {
  await claim(ADA, 'zora', after(1))
  await claim(BOB, 'kimo', after(2))
  await store.releaseName({ name: 'kimo', pubkey: BOB, now: after(3), cooldownMs: FREE.cooldownMs })
  await ask('release', BOB, 'kimo', after(3))
  for (const [invoiceId, pubkey] of [
    ['inv-1', CYD],
    ['inv-2', DAN],
  ] as const) {
    log.bills.set(invoiceId, { id: invoiceId, key: pubkey, status: 'confirmed' })
    await store.saveGrant(aGrant({ invoiceId, pubkey }), null)
    await store.settleGrant(invoiceId, after(4))
  }
  await claim(CYD, 'wexu', after(5), { paid: true })
}

/** Ada sells to Eve; Cyd takes an offer back; the operator is busy. */
async function salesAndOrders({ store, log, ask, offer, other }: World): Promise<void> {
  for (const one of [offer, other]) {
    await store.createOffer(one)
    await ask('lodge', one.seller, one.name, after(6), { offer: one.id })
  }
  log.kernels.set(EXCESS, 900)
  const sale = { offerId: offer.id, kernelExcess: EXCESS, kernelHeight: 900, cooldownMs: FREE.cooldownMs }
  await store.transferName({ ...sale, now: after(7) })
  await ask('buy', EVE, 'zora', after(7), { offer: offer.id, excess: EXCESS })
  await store.endOffer(other.id, { status: 'revoked', endHeight: 900, now: after(8) })
  await ask('revoke', CYD, 'wexu', after(8), { offer: other.id })
  const order = (verb: Order['verb'], name: string): void =>
    void log.orders.push({ verb, name, sentAt: after(9) - 5, endedAt: after(9) + 5, outcome: 'done' })
  const change = { reason: 'test', now: after(9) }
  await store.assign(shapeOf('polu'), { ...change, pubkey: FAY, replace: false })
  await store.suspend('polu', { ...change, suspended: true })
  await store.reserve(shapeOf('qiro'), change)
  order('assign', 'polu')
  order('suspend', 'polu')
  order('reserve', 'qiro')
}

const find = ({ path, log }: World): readonly string[] => findNameFaults(path, log, after(10))
const lastOf = ({ log }: World) => log.asked.at(-1) ?? log.asked[0]

/** A line more in the history. */
const line = (action: string, name: string, key: string, at: number, actor = 'holder'): string =>
  `INSERT INTO audit (at, actor, action, name, pubkey) VALUES (${at}, '${actor}', '${action}', '${name}', x'${key}');`
const row = (name: string, key: string, at: number): string =>
  `INSERT INTO name (name, skeleton, pubkey, created_at) VALUES ('${name}', '-', x'${key}', ${at});`
const tampering =
  (sql: string) =>
  ({ tamper }: World): void =>
    tamper(sql)

/** How an authority could be broken, and the words that give it away. */
const BREAKS: readonly (readonly [what: string, how: (world: World) => unknown, found: RegExp])[] = [
  ['loses an acknowledged name and its line', tampering('DELETE FROM audit WHERE seq = 4'), /lost: claim wexu/],
  ['leaves a gap in its history', tampering('DELETE FROM audit WHERE seq = 4'), /a line before it is missing/],
  ['loses the row of a name', tampering("DELETE FROM name WHERE name = 'wexu'"), /wexu: its row is gone/],
  ['forgets that a name was given up', tampering("DELETE FROM name WHERE name = 'kimo'"), /kimo: its row is gone/],
  ['loses a command', ({ log }) => log.orders.push({ ...log.orders[0]!, name: 'tevo' }), /lost: assign tevo/],
  [
    'gives a key two names',
    tampering(`DROP INDEX name_of_key; ${row('other', CYD, after(9))}`),
    /holds wexu and other|holds other and wexu/,
  ],
  [
    'writes that a key took a second name',
    tampering(line('claim', 'other', CYD, after(9))),
    /claim other: a second name beside wexu/,
  ],
  ['gives a name to two keys', tampering(line('claim', 'wexu', GUS, after(9))), /taken from .* without a word/],
  [
    'keeps another holder than its history says',
    tampering(`UPDATE name SET pubkey = x'${GUS}' WHERE name = 'wexu'`),
    /its lines say/,
  ],
  ['keeps another time', tampering("UPDATE name SET created_at = 5 WHERE name = 'wexu'"), /held since 5/],
  ['keeps another end', tampering("UPDATE name SET released_at = 5 WHERE name = 'kimo'"), /otherwise than its lines/],
  ['gives a name without a line', tampering(row('other', GUS, after(9))), /other: held, and no line says so/],
  [
    'ends a name that never was',
    tampering(`${row('other', GUS, 1)} UPDATE name SET released_at = 5 WHERE name = 'other'`),
    /other: given up, and no line says so/,
  ],
  ['lets look-alikes in', tampering(row('w3-xu', GUS, after(9))), /(w3-xu and wexu|wexu and w3-xu) look alike/],
  ['writes a look-alike', tampering(line('claim', 'w3xu', GUS, after(9))), /claim w3xu: looks like wexu/],
  ['lets a reserved name be claimed', tampering(line('claim', 'q1-ro', GUS, after(9))), /though qiro is reserved/],
  ['lets a suspended name go', tampering(line('release', 'polu', FAY, after(9))), /given up though it is suspended/],
  ['takes a name from a key without one', tampering(line('release', 'wexu', GUS, after(9))), /by who does not hold it/],
  ['forgets a suspension', tampering("UPDATE name SET suspended_at = NULL WHERE name = 'polu'"), /suspended or not/],
  ['suspends twice', tampering(line('suspend', 'polu', FAY, after(9), 'operator')), /was so before/],
  ['forgets a reserved name', tampering('DELETE FROM reserved'), /reserved qiro: is gone/],
  ['reserves by itself', tampering("INSERT INTO reserved VALUES ('tevo', 'tevo', '', 1)"), /reserved tevo: no line/],
  ['reserves twice', tampering(line('reserve', 'qiro', FAY, after(9), 'operator')), /qiro: was reserved before/],
  ['gives back what was free', tampering(line('unreserve', 'tevo', FAY, after(9), 'operator')), /was not reserved/],
  ['writes nonsense', tampering(line('dance', 'wexu', CYD, after(9))), /dance wexu: unknown action/],
  ['breaks its own rules', tampering('UPDATE name SET released_at = 1, suspended_at = 1'), /the file is damaged/],
  [
    'changes a name without a request',
    async ({ claim, log }) => {
      await claim(GUS, 'tevo', after(9))
      log.asked.pop()
    },
    /claim tevo .*no request asked for it/,
  ],
  [
    'does a request twice',
    async ({ claim, store }) => {
      await claim(GUS, 'tevo', after(9))
      await store.releaseName({ name: 'tevo', pubkey: GUS, now: after(9), cooldownMs: 0 })
      await store.claimName({ shape: shapeOf('tevo'), pubkey: GUS, now: after(9) + 7, cooldownMs: 0, paid: false })
    },
    /claim tevo .*done twice/,
  ],
  [
    'accepts an event twice',
    (world) => Object.assign(lastOf(world)!.attempts[1]!, { status: 409, error: 'name taken' }),
    /accepted 2 times/,
  ],
  ['forgets a used event', tampering('DELETE FROM auth'), /used, and kept until undefined/],
  ['forgets events early', tampering('UPDATE auth SET forget_at = forget_at - 60000'), /used, and kept until/],
  [
    'uses an event that no client signed',
    ({ store }) => store.recordAuth(freshHex(64), after(99)),
    /used, and no client sent it/,
  ],
  ['uses events before they come', (world) => lastOf(world)!.attempts.splice(0), /used before it was sent/],
  [
    'calls a first use a replay',
    (world) => lastOf(world)!.attempts.splice(0, 1),
    /refused as replayed, and never used/,
  ],
  ['forgets a cooldown', tampering(`DELETE FROM cooldown WHERE pubkey = x'${BOB}'`), /cooldown until .* is forgotten/],
  ['shortens a cooldown', tampering('UPDATE cooldown SET until = until - 1'), /cooldown until .* is forgotten/],
  ['forgets the cooldown of a seller', tampering(`DELETE FROM cooldown WHERE pubkey = x'${ADA}'`), /is forgotten/],
  [
    'lets a key claim while it waits',
    async ({ tamper, claim }) => {
      tamper('DELETE FROM cooldown')
      await claim(BOB, 'tevo', after(9))
    },
    /claim tevo by .*: its cooldown runs until/,
  ],
  [
    'lets a key change twice in a row',
    async ({ tamper, claim }) => {
      await claim(EVE, 'tevo', after(9))
      tamper('DELETE FROM cooldown')
      await claim(EVE, 'kavo', after(9) + 1)
    },
    /change by .*: its cooldown runs until/,
  ],
  ['gives a name for nothing', ({ log }) => log.bills.delete('inv-1'), /1 names for 0 payments/],
  [
    'spends a payment twice',
    async ({ claim, tamper }) => {
      tamper(`INSERT INTO paid_grant (pubkey, resource, serial, invoice_id, pay_url, amount, status, created_at, paid_at)
        VALUES (x'${CYD}', 'name', 2, 'inv-1', 'https://till.example/', 1, 'paid', 1, 1)`)
      await claim(CYD, 'tevo', after(9), { paid: true })
    },
    /2 names for 1 payments/,
  ],
  ['loses a payment', tampering('DELETE FROM paid_grant'), /1 payments, 0 names: one is lost/],
  ['grants too early', ({ log }) => Object.assign(log.bills.get('inv-2')!, { status: 'paid' }), /granted at paid/],
  ['makes invoices up', tampering("UPDATE paid_grant SET invoice_id = 'inv-9'"), /no till made this invoice/],
  ['sells for nothing', ({ log }) => log.kernels.clear(), /sale .*: without a payment/],
  [
    'takes one payment for two sales',
    tampering(`CREATE TABLE other AS SELECT * FROM transfer; DROP TABLE transfer; ALTER TABLE other RENAME TO transfer;
      INSERT INTO transfer SELECT zeroblob(32), name, seller, buyer, price, kernel_excess, 1, 1 FROM transfer`),
    /payment .*: spent on .* and 0000/,
  ],
  ['loses a sale', tampering('DELETE FROM transfer'), /lost: sale .* to/],
  ['loses the row of a sale', tampering('DELETE FROM transfer'), /sale .*: its row is gone/],
  ['ends an offer without a sale', tampering('DELETE FROM transfer'), /consumed, and not sold/],
  ['sells under other terms', tampering('UPDATE transfer SET price = 1'), /not under the terms of its offer/],
  ['sells and keeps the offer', tampering("UPDATE offer SET status = 'live'"), /its offer is live/],
  ['sells without a line', tampering('UPDATE transfer SET claimed_at = 1'), /no line of the history says so/],
  ['loses an offer', tampering("DELETE FROM offer WHERE status = 'revoked'"), /lost: offer/],
  ['forgets that an offer was revoked', tampering("UPDATE offer SET status = 'live'"), /revoked, and live/],
]

test('an honest authority is found without fault', async () => {
  expect(find(await anHonestWorld())).toEqual([])
})

test.each(BREAKS)('an authority that %s is found', async (_, how, found) => {
  const world = await anHonestWorld()
  await how(world)
  expect(find(world).join('\n')).toMatch(found)
})

test('what was under way when the process died may have happened, or not', async () => {
  const world = await anHonestWorld()
  const attempt = await world.ask('claim', GUS, 'tevo', after(9), { status: 409 })
  attempt.status = undefined
  expect(find(world)).toEqual([])
  await world.store.claimName({ shape: shapeOf('tevo'), pubkey: GUS, now: after(9), cooldownMs: 0, paid: false })
  expect(find(world)).toEqual([])
})

test('without a cooldown a claim that looked at the clock before the release was written is no fault', async () => {
  const world = await anHonestWorld()
  const [life, cooldownMs] = [{ cooldownMs: 0, isPaid: false }, 0]
  await world.store.releaseName({ name: 'zora', pubkey: EVE, now: after(9) + 1, cooldownMs })
  await world.ask('release', EVE, 'zora', after(9) + 1, { life })
  await world.claim(EVE, 'tevo', after(9), { cooldownMs })
  expect(find(world)).toEqual([])
})

test.each([
  ['mail', 'mai1', true],
  ['mall', 'ma1l', true],
  ['mail', 'mall', false],
  ['b0-b', 'bo.b', true],
  ['bob2', 'bobz', false],
  ['bob', 'bobb', false],
])('%s and %s look alike: %s', (one, other, expected) => {
  expect([areAlike(one, other), areAlike(other, one)]).toEqual([expected, expected])
})
