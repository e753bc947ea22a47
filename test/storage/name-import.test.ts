import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { isValidName, shapeOf } from '../../src/authority/names/index.js'
import { databaseNewer, databaseReadOnly, importUnknown } from '../../src/storage/errors.js'
import {
  formatNameRow,
  type ImportOutcome,
  type OpenNameStore,
  openNameReader,
  openNameSource,
  openNameStore,
} from '../../src/storage/index.js'
import { openSqlite } from '../../src/storage/sqlite.js'
import { authorityInsideRelay, olderAuthority, otherProgram, separateAuthority } from '../support/ancestor-databases.js'
import { aClaim, aGrant, aKey, anOffer, COOLDOWN, holderOf } from '../support/name-builders.js'
import { temporaryFolder } from '../support/temporary-store.js'
import { freshHex, grin, MINUTE, NOON, SECOND } from '../support/till-builders.js'

const LATER = NOON + 10 * MINUTE
const CHANGE = {
  reason: 'old.db',
  now: LATER,
  isName: (name: string) => isValidName(name, { nameMin: 3, nameMax: 20 }),
  shapeOf,
}

let folder: string
let store: OpenNameStore

beforeEach(async () => {
  const place = temporaryFolder()
  folder = place.folder
  store = await openStore('names.db')
  onTestFinished(place.remove)
})

async function openStore(file: string): Promise<OpenNameStore> {
  const opened = await openNameStore({ path: join(folder, file), now: () => NOON })
  onTestFinished(() => opened.close())
  return opened
}

const old = (): string => join(folder, 'old.db')

async function takeOver(into = store, path = old(), change: Partial<typeof CHANGE & { isDryRun: boolean }> = {}) {
  const source = await openNameSource(path)
  try {
    return await into.importNames(source.rows, { ...CHANGE, ...change })
  } finally {
    source.close()
  }
}

/** The kinds of which there was anything. */
const some = (outcome: ImportOutcome, which: 'added' | 'known') =>
  outcome.outcome === 'imported'
    ? Object.fromEntries(Object.entries(outcome[which]).filter(([, count]) => count > 0))
    : outcome

const whys = (outcome: ImportOutcome): readonly string[] =>
  outcome.outcome === 'conflicts' ? outcome.conflicts.map(({ place, what }) => `${place}: ${what}`) : ['no conflict']

async function everything(from: OpenNameStore): Promise<string[]> {
  const lines: string[] = []
  for await (const row of from.rows()) lines.push(formatNameRow(row))
  return lines
}

test('a separate authority is taken over whole: released rows, grants, offers and sales included', async () => {
  const was = separateAuthority(old())
  const outcome = await takeOver()
  expect(some(outcome, 'added')).toEqual({ name: 3, grant: 2, offer: 2, transfer: 1 })
  expect(some(outcome, 'known')).toEqual({})
  expect(await store.activeName('alice')).toEqual({
    name: 'alice',
    pubkey: was.alice,
    createdAt: NOON,
    suspendedAt: null,
  })
  expect(await store.nameRecord('bob')).toMatchObject({ pubkey: was.bob, releasedAt: NOON + MINUTE })
  expect(await store.grant(was.payer, 'name')).toMatchObject({
    invoiceId: 'inv-paid',
    amount: grin(1.5),
    status: 'paid',
    paidAt: NOON + 5 * SECOND,
  })
  expect(await store.grant(was.debtor, 'write')).toMatchObject({ amount: 2n ** 62n, status: 'pending', paidAt: null })
  const offer = await store.offer(was.live)
  expect(offer).toMatchObject({
    seller: was.alice,
    price: 3n,
    expiration: NOON / 1000 + 9,
    status: 'live',
    endHeight: null,
  })
  expect(offer?.event).toMatchObject({ id: was.live, created_at: NOON / 1000, tags: [['name', 'x']] })
  expect(await store.offer(was.sold)).toMatchObject({ status: 'consumed', endHeight: 77, proofAddress: 'tgrin1sold' })
  expect(await store.transferOf(was.sold)).toMatchObject({ kernelHeight: 70, claimedAt: NOON + 7 * SECOND })
  expect((await store.history({ name: 'alice' }, 5)).items).toMatchObject([
    { actor: 'import', action: 'import', at: LATER, reason: 'old.db', pubkey: was.alice },
  ])
})

test('what was taken over is as good as claimed here', async () => {
  const was = separateAuthority(old())
  await takeOver()
  expect(await store.claimName(aClaim('a1ice'))).toEqual({ outcome: 'taken' })
  expect(await store.claimName(aClaim('bob'))).toMatchObject({ outcome: 'claimed' })
  expect(await store.claimName(aClaim('erin', { pubkey: was.payer, paid: true }))).toMatchObject({ outcome: 'claimed' })
  expect(await store.lastSerial(was.payer, 'name')).toBe(0)
})

test('repeating it changes nothing', async () => {
  separateAuthority(old())
  await takeOver()
  const before = await everything(store)
  const outcome = await takeOver()
  expect(some(outcome, 'added')).toEqual({})
  expect(some(outcome, 'known')).toEqual({ name: 3, grant: 2, offer: 2, transfer: 1 })
  expect(await everything(store)).toEqual(before)
})

test('repeating it brings nothing back that was released, spent or ended since', async () => {
  const was = separateAuthority(old())
  await takeOver()
  await store.releaseName({ name: 'alice', pubkey: was.alice, now: LATER, cooldownMs: 0 })
  await store.claimName(aClaim('erin', { pubkey: was.payer, paid: true }))
  await store.voidGrant('inv-open', { reason: 'x', now: LATER })
  await store.endOffer(was.live, { status: 'revoked', endHeight: 9, now: LATER })
  const before = await everything(store)
  expect(some(await takeOver(), 'added')).toEqual({})
  expect(await everything(store)).toEqual(before)
})

test('a rehearsal tells the same and keeps nothing', async () => {
  separateAuthority(old())
  const before = await everything(store)
  const rehearsal = await takeOver(store, old(), { isDryRun: true })
  expect(await everything(store)).toEqual(before)
  expect(await takeOver()).toEqual(rehearsal)
})

test('the claims inside a relay database are taken over, whatever else is in it', async () => {
  const [alice, bob] = [aKey(), aKey()]
  authorityInsideRelay(old(), [
    ['alice', alice],
    ['bob', bob.toUpperCase()],
  ])
  const source = await openNameSource(old())
  expect(source.origin).toBe('tables name_claims')
  source.close()
  expect(some(await takeOver(), 'added')).toEqual({ name: 2 })
  expect(await store.nameOfKey(bob)).toMatchObject({ name: 'bob', createdAt: NOON })
})

test('an older edition without a column for released names is taken over', async () => {
  const alice = aKey()
  olderAuthority(old(), [['alice', alice]])
  expect(some(await takeOver(), 'added')).toEqual({ name: 1 })
  expect(await store.nameOfKey(alice)).toMatchObject({ name: 'alice' })
})

test('names that look alike are accepted and counted', async () => {
  await holderOf(store, 'al1ce')
  olderAuthority(old(), [
    ['alice', aKey()],
    ['b0b', aKey()],
    ['bob', aKey()],
    ['carol', aKey()],
    ['carou', aKey()],
  ])
  expect(await takeOver()).toMatchObject({ outcome: 'imported', lookAlikes: 3 })
})

test('a name that is held here, or a key that holds another one, stops everything, each told with its row', async () => {
  const [here, elsewhere, free] = [await holderOf(store, 'alice'), await holderOf(store, 'bob'), aKey()]
  const there = aKey()
  olderAuthority(old(), [
    ['free', free],
    ['alice', there],
    ['bobby', elsewhere],
  ])
  const before = await everything(store)
  expect(whys(await takeOver())).toEqual([
    `names row 2: alice is held here by ${here}`,
    `names row 3: bobby its key ${elsewhere} holds bob here`,
  ])
  expect(await everything(store)).toEqual(before)
})

test('what is no name or no key is told, and nothing is taken over', async () => {
  olderAuthority(old(), [
    ['fine', aKey()],
    ['-bad-', aKey()],
    ['short', 'abc'],
    ['', aKey()],
  ])
  const told = whys(await takeOver())
  expect(told[0]).toBe('names row 2: not a name: "-bad-"')
  expect(told[1]).toContain('names row 3: pubkey: not 64 lower-case hex')
  expect(told[2]).toContain('names row 4: name')
  expect(told).toHaveLength(3)
  expect((await store.listNames({}, 5)).items).toEqual([])
})

test('a file that contradicts itself is told so', async () => {
  const key = aKey()
  olderAuthority(old(), [
    ['alice', key],
    ['carol', key],
    ['dave', aKey()],
    ['dave', aKey()],
  ])
  expect(whys(await takeOver())).toEqual([
    'names row 4: dave stands there twice, and differently',
    'names row 2: carol its key holds alice there as well',
  ])
})

test('an invoice or a kernel that stands for something else here stops everything', async () => {
  const was = separateAuthority(old())
  await store.saveGrant(aGrant({ pubkey: was.payer, invoiceId: 'ours' }), null)
  await store.saveGrant(aGrant({ invoiceId: 'inv-open' }), null)
  const offer = anOffer('erin', { seller: await holderOf(store, 'erin') })
  await store.lodgeOffer(offer)
  await store.transferName({ offerId: offer.id, kernelExcess: was.excess, kernelHeight: 1, now: NOON, cooldownMs: 0 })
  const told = whys(await takeOver())
  expect(told).toHaveLength(3)
  expect(told[0]).toContain(`paid_grants row 1: invoice inv-paid its key ${was.payer} has the invoice ours here`)
  expect(told[1]).toContain('paid_grants row 2: invoice inv-open belongs here to the key')
  expect(told[2]).toContain(`transfers row 1: the sale of carol its kernel paid for the offer ${offer.id} here`)
})

/** Some of everything that a database can hold. */
async function fill(into: OpenNameStore): Promise<void> {
  const change = { reason: 'by "hand"\n', now: NOON + SECOND }
  const seller = await holderOf(into, 'alice')
  const bob = await holderOf(into, 'bob')
  await into.releaseName({ name: 'bob', pubkey: bob, now: NOON, cooldownMs: COOLDOWN })
  await holderOf(into, 'carol')
  await into.suspend('carol', { ...change, suspended: true })
  await into.reserve(shapeOf('bank'), change)
  const [spent, open] = [aGrant(), aGrant({ serial: 3, amount: grin(2 ** 33) })]
  await into.saveGrant(spent, null)
  await into.settleGrant(spent.invoiceId, NOON)
  await into.claimName(aClaim('dave', { pubkey: spent.pubkey, paid: true }))
  await into.saveGrant(open, null)
  const offer = anOffer('alice', { seller })
  await into.lodgeOffer(offer)
  await into.transferName({ offerId: offer.id, kernelExcess: freshHex(66), kernelHeight: 5, now: NOON, cooldownMs: 1 })
}

/** Without what an import itself notes. */
const carried = (lines: readonly string[]) => lines.filter((line) => !line.includes('"actor":"import"'))

test('everything goes out as lines and comes back in, nothing lost', async () => {
  await fill(store)
  const lines = await everything(store)
  const path = join(folder, 'names.jsonl')
  writeFileSync(path, lines.join(''))
  const other = await openStore('other.db')
  expect((await openNameSource(path)).origin).toBe('lines of an export')
  const outcome = await takeOver(other, path)
  expect(some(outcome, 'added')).toMatchObject({
    name: 4,
    reserved: 1,
    cooldown: 2,
    grant: 1,
    'grant-serial': 2,
    'past-grant': 1,
    offer: 1,
    transfer: 1,
  })
  expect(carried(await everything(other))).toEqual(lines)
  expect(some(await takeOver(store, path), 'added')).toEqual({})
  expect(await everything(store)).toEqual(lines)
})

test('another names.db is taken over as it is, while it is in use', async () => {
  await fill(store)
  const other = await openStore('other.db')
  const source = await openNameSource(join(folder, 'names.db'))
  expect(source.origin).toBe('names.db of grinpay')
  source.close()
  await takeOver(other, join(folder, 'names.db'))
  expect(carried(await everything(other))).toEqual(await everything(store))
})

test('a list of names, with its own times and members, is taken over as well', async () => {
  const [alice, bob] = [aKey(), aKey()]
  const path = join(folder, 'list.jsonl')
  const row = { name: 'alice', status: 'active', pubkey: alice, npub: 'npub1', created_at: '2026-07-01T12:00:00Z' }
  const released = {
    name: 'bob',
    pubkey: bob,
    created_at: NOON,
    released_at: '2026-07-01T12:00:01Z',
    suspended_at: null,
  }
  writeFileSync(path, `${JSON.stringify(row)}\r\n\r\n${JSON.stringify(released)}`)
  expect(some(await takeOver(store, path), 'added')).toEqual({ name: 2 })
  expect(await store.activeName('alice')).toMatchObject({ pubkey: alice, createdAt: NOON })
  expect(await store.nameRecord('bob')).toMatchObject({ releasedAt: NOON + SECOND })
})

test('a file of something else is named', async () => {
  await expect(openNameSource(join(folder, 'nowhere'))).rejects.toSatisfy(importUnknown.is)
  otherProgram(old())
  await expect(openNameSource(old())).rejects.toSatisfy(importUnknown.is)
  const letter = join(folder, 'letter.txt')
  writeFileSync(letter, 'dear operator,\n{"kind":"wish"}')
  expect(whys(await takeOver(store, letter))).toEqual([
    'line 1: not a JSON object',
    'line 2: unknown kind of row: wish',
  ])
  const newer = openSqlite(join(folder, 'names.db'), 'durable')
  newer.script('PRAGMA user_version = 99')
  newer.close()
  await expect(openNameSource(join(folder, 'names.db'))).rejects.toSatisfy(databaseNewer.is)
})

test('a reader writes everything out, and takes nothing over', async () => {
  await fill(store)
  const reader = await openNameReader({ path: join(folder, 'names.db') })
  onTestFinished(() => reader.close())
  expect(await everything(reader)).toEqual(await everything(store))
  await expect(reader.importNames([], CHANGE)).rejects.toSatisfy(databaseReadOnly.is)
})

test('two imports at once wait for each other; claims go on meanwhile', async () => {
  separateAuthority(old())
  const [one, two, claim] = await Promise.all([takeOver(), takeOver(), store.claimName(aClaim('erin'))])
  expect(some(one, 'added')).toMatchObject({ name: 3 })
  expect(some(two, 'known')).toMatchObject({ name: 3 })
  expect(claim).toMatchObject({ outcome: 'claimed' })
})
