// A million names must slow no verb: each statement that a verb runs reaches its rows through an index.
import { expect, test } from 'vitest'
import { shapeOf } from '../../../src/authority/index.js'
import { nameStoreVerbs } from '../../../src/storage/names/store.js'
import { createWriteQueue } from '../../../src/storage/sqlite/group-commit.js'
import { NAMES_FILE } from '../../../src/storage/sqlite/kinds.js'
import { aClaim, aGrant, aKey, anOffer } from '../../support/name-builders.js'
import { recordingSqlite } from '../../support/recording-sqlite.js'
import { freshHex, NOON } from '../../support/till-builders.js'

/** One row, the two rows that a search of a key has at most to put together, and the names of one skeleton. */
const SMALL = /^SCAN (meta|CONSTANT ROW|\(subquery-\d+\)|candidate)/
/** In the order of an index or of the table itself, and ended by a LIMIT: it stops after a page. */
const PAGED = /^SCAN (name|reserved|audit|offer|paid_grant)( USING INDEX \w+_(created|released|suspended|held))?$/
/** Rows that are shown, or searched for by a key that has few. */
const SORTED = /^USE TEMP B-TREE FOR (LAST TERM OF )?ORDER BY$/
const FEW = /FROM (name WHERE name IN|paid_grant WHERE (status = \? AND )?pubkey)/

test('no verb of the name authority visits more rows than it answers', async () => {
  const { db, statements, plan } = recordingSqlite(NAMES_FILE)
  const store = nameStoreVerbs(db, createWriteQueue(db).write, () => NOON)
  const change = { reason: 'by hand', now: NOON }
  const [seller, other, shape] = [aKey(), aKey(), shapeOf('alice')]
  const [grant, offer] = [aGrant({ pubkey: seller }), anOffer('alice', { seller })]
  await store.claimName(aClaim('dave', { pubkey: seller }))
  await store.saveGrant(grant, null)
  await store.saveGrant(aGrant({ pubkey: seller, serial: 2, invoiceId: 'second' }), grant.invoiceId)
  await store.settleGrant('second', NOON)
  await store.claimName(aClaim('alice', { pubkey: seller, paid: true }))
  await store.rivalOf(shape, other)
  await store.rivalOf(shapeOf('aiice'))
  await store.reservedLike(shape)
  await store.availabilityOf(shape)
  await store.cooldownUntil(other)
  await store.recordAuth(freshHex(64), NOON)
  await store.forgetAuths(NOON, 10)
  await store.lastSerial(other, 'name')
  await store.pendingGrants(NOON, 10)
  await store.createOffer(offer)
  await store.endOffer(offer.id, { status: 'expired', endHeight: 1, now: NOON })
  await store.endOffer(offer.id, { status: 'revoked', endHeight: 1, now: NOON })
  await store.lapsedOffers(NOON, 10)
  await store.transferName({ offerId: offer.id, kernelExcess: freshHex(66), kernelHeight: 1, now: NOON, cooldownMs: 1 })
  await store.transferOf(offer.id)
  await store.suspend('alice', { ...change, suspended: true })
  await store.evict(shape, { ...change, reserve: true })
  await store.reservedLike(shapeOf('aiice'))
  await store.assign(shape, { ...change, pubkey: other, replace: true })
  await store.assign(shapeOf('erin'), { ...change, pubkey: other, replace: true })
  await store.releaseName({ name: 'erin', pubkey: other, now: NOON, cooldownMs: 0 })
  await store.unreserve('alice', change)
  await store.saveGrant(aGrant({ invoiceId: 'third' }), null)
  await store.voidGrant('third', change)
  await store.check()
  await store.idsLike('offer', 'abcdef', 5)
  await store.idsLike('grant', 'abcdef', 5)
  await store.nameRecord('alice')
  for (const status of [undefined, 'active', 'released', 'suspended'] as const)
    for (const of of [{}, { prefix: 'al' }, { pubkey: other }])
      await store.listNames({ ...of, ...(status && { status }) }, 2, 'a')
  await store.listReserved(2, 'a')
  for (const filter of [{}, { status: 'live' }, { name: 'alice' }, { status: 'live', name: 'alice' }] as const)
    await store.listOffers(filter, 2, '1-1')
  for (const filter of [{}, { status: 'paid' }, { pubkey: other }, { status: 'paid', pubkey: other }] as const)
    await store.listGrants(filter, 2, '1-1')
  for (const filter of [{}, { name: 'alice' }, { pubkey: other }]) await store.history(filter, 2, '9')

  const planned = [...statements].filter((sql) => /^(SELECT|UPDATE|DELETE)/.test(sql))
  const slow = planned.flatMap((sql) =>
    plan(sql)
      .filter((step) => /SCAN|TEMP B-TREE/.test(step))
      .filter((step) => !SMALL.test(step) && !(PAGED.test(step) && /LIMIT/.test(sql)))
      .filter((step) => !(SORTED.test(step) && FEW.test(sql.replace(/\s+/g, ' '))))
      .map((step) => `${step}  ←  ${sql.replace(/\s+/g, ' ').slice(0, 300)}`),
  )
  expect(slow).toEqual([])
  expect(planned.length).toBeGreaterThan(50)
})

test('names in a state are read from the index of that state, with and without a beginning', () => {
  const { db, statements, plan } = recordingSqlite(NAMES_FILE)
  const store = nameStoreVerbs(db, createWriteQueue(db).write, () => NOON)
  for (const status of ['suspended', 'released', 'active'] as const)
    for (const filter of [{ status }, { status, prefix: 'al' }]) void store.listNames(filter, 50, 'alice')
  const steps = [...statements].flatMap(plan)
  expect(steps).toHaveLength(6)
  expect(steps.filter((step) => !/USING (COVERING )?INDEX name_(suspended|released|held) /.test(step))).toEqual([])
})

test('the searches of every request are one step down one index', () => {
  const { db, statements, plan } = recordingSqlite(NAMES_FILE)
  const store = nameStoreVerbs(db, createWriteQueue(db).write, () => NOON)
  void store.activeName('alice')
  void store.nameOfKey(aKey())
  void store.rivalOf(shapeOf('alice'))
  void store.reservedLike(shapeOf('alice'))
  void store.cooldownUntil(aKey())
  void store.keyOfName('alice')
  void store.availabilityOf(shapeOf('alice'))
  expect([...statements].map((sql) => plan(sql))).toEqual([
    ['SEARCH name USING PRIMARY KEY (name=?)'],
    ['SEARCH name USING INDEX name_of_key (pubkey=?)'],
    ['SEARCH name USING INDEX name_skeleton (skeleton=? AND released_at=?)'],
    ['SEARCH reserved USING INDEX reserved_skeleton (skeleton=?)'],
    ['SEARCH cooldown USING PRIMARY KEY (pubkey=?)'],
    ['SEARCH name USING PRIMARY KEY (name=?)'],
    [
      'SCAN CONSTANT ROW',
      'SCALAR SUBQUERY 1',
      'SEARCH reserved USING COVERING INDEX reserved_skeleton (skeleton=?)',
      'SCALAR SUBQUERY 2',
      'SEARCH name USING COVERING INDEX name_skeleton (skeleton=? AND released_at=?)',
    ],
  ])
})
