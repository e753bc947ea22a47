import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { isHoldableName } from '../../../src/authority/names/rules.js'
import { databaseNewer, importUnknown } from '../../../src/storage/errors.js'
import { type OpenNameStore, openNameSource } from '../../../src/storage/index.js'
import { snake } from '../../../src/storage/names/row-format.js'
import { openSqlite } from '../../../src/storage/sqlite/sqlite.js'
import {
  authorityInsideRelay,
  olderAuthority,
  otherProgram,
  separateAuthority,
} from '../../support/legacy-databases.js'
import { aClaim, aGrant, aKey, anOffer, holderOf } from '../../support/name-builders.js'
import { everything, LATER, openStoreAt, some, takeOver, whys } from '../../support/name-import.js'
import { temporaryFolder } from '../../support/temporary-store.js'
import { grin, MINUTE, NOON, SECOND } from '../../support/till-builders.js'

let folder: string
let store: OpenNameStore

beforeEach(async () => {
  const place = temporaryFolder()
  folder = place.folder
  store = await openStore('names.db')
  onTestFinished(place.remove)
})

const openStore = (file: string): Promise<OpenNameStore> => openStoreAt(join(folder, file))

const old = (): string => join(folder, 'old.db')

test('a separate authority is taken over whole: released rows, grants, offers and sales included', async () => {
  const was = separateAuthority(old())
  const outcome = await takeOver(store, old())
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
    price: 2n ** 64n - 1n,
    expiration: NOON / 1000 + 9,
    status: 'live',
    endHeight: null,
  })
  expect(offer?.event).toMatchObject({ id: was.live, created_at: NOON / 1000, tags: [['name', 'x']] })
  expect(await store.offer(was.sold)).toMatchObject({ status: 'consumed', endHeight: 77, proofAddress: 'tgrin1sold' })
  expect(await store.transferOf(was.sold)).toMatchObject({ kernelHeight: 0, claimedAt: NOON + 7 * SECOND })
  expect((await store.history({ name: 'alice' }, 5)).items).toMatchObject([
    { actor: 'import', action: 'import', at: LATER, reason: 'old.db', pubkey: was.alice },
  ])
})

test('what was taken over is as good as claimed here', async () => {
  const was = separateAuthority(old())
  await takeOver(store, old())
  expect(await store.claimName(aClaim('a1ice'))).toEqual({ outcome: 'taken' })
  expect(await store.claimName(aClaim('bob'))).toMatchObject({ outcome: 'claimed' })
  expect(await store.claimName(aClaim('erin', { pubkey: was.payer, paid: true }))).toMatchObject({ outcome: 'claimed' })
  expect(await store.lastSerial(was.payer, 'name')).toBe(0)
})

test('repeating it changes nothing', async () => {
  separateAuthority(old())
  await takeOver(store, old())
  const before = await everything(store)
  const outcome = await takeOver(store, old())
  expect(some(outcome, 'added')).toEqual({})
  expect(some(outcome, 'known')).toEqual({ name: 3, grant: 2, offer: 2, transfer: 1 })
  expect(await everything(store)).toEqual(before)
})

test('repeating it brings nothing back that was released, spent or ended since', async () => {
  const was = separateAuthority(old())
  await takeOver(store, old())
  await store.releaseName({ name: 'alice', pubkey: was.alice, now: LATER, cooldownMs: 0 })
  await store.claimName(aClaim('erin', { pubkey: was.payer, paid: true }))
  await store.voidGrant('inv-open', { reason: 'x', now: LATER })
  await store.endOffer(was.live, { status: 'revoked', endHeight: 9, now: LATER })
  const before = await everything(store)
  expect(some(await takeOver(store, old()), 'added')).toEqual({})
  expect(await everything(store)).toEqual(before)
})

test('a rehearsal tells the same and keeps nothing', async () => {
  separateAuthority(old())
  const before = await everything(store)
  const rehearsal = await takeOver(store, old(), { isDryRun: true })
  expect(await everything(store)).toEqual(before)
  expect(await takeOver(store, old())).toEqual(rehearsal)
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
  expect(some(await takeOver(store, old()), 'added')).toEqual({ name: 2 })
  expect(await store.nameOfKey(bob)).toMatchObject({ name: 'bob', createdAt: NOON })
})

test('an older edition without a column for released names is taken over', async () => {
  const alice = aKey()
  olderAuthority(old(), [['alice', alice]])
  expect(some(await takeOver(store, old()), 'added')).toEqual({ name: 1 })
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
  expect(await takeOver(store, old())).toMatchObject({ outcome: 'imported', lookAlikes: 3 })
})

test('a name that is held here, or a key that holds another one, stops everything, each reported with its row', async () => {
  const [here, elsewhere, free] = [await holderOf(store, 'alice'), await holderOf(store, 'bob'), aKey()]
  const there = aKey()
  olderAuthority(old(), [
    ['free', free],
    ['alice', there],
    ['bobby', elsewhere],
  ])
  const before = await everything(store)
  expect(whys(await takeOver(store, old()))).toEqual([
    `names row 2: alice is held here by ${here}`,
    `names row 3: bobby its key ${elsewhere} holds bob here`,
  ])
  expect(await everything(store)).toEqual(before)
})

test('an invalid name or key is reported, and nothing is taken over', async () => {
  olderAuthority(old(), [
    ['fine', aKey()],
    ['-bad-', aKey()],
    ['short', 'abc'],
    ['', aKey()],
  ])
  const reasons = whys(await takeOver(store, old()))
  expect(reasons[0]).toBe('names row 2: not a name: "-bad-"')
  expect(reasons[1]).toContain('names row 3: pubkey: not 64 lower-case hex')
  expect(reasons[2]).toContain('names row 4: name')
  expect(reasons).toHaveLength(3)
  expect((await store.listNames({}, 5)).items).toEqual([])
})

test('a file that contradicts itself is refused', async () => {
  const key = aKey()
  olderAuthority(old(), [
    ['alice', key],
    ['carol', key],
    ['dave', aKey()],
    ['dave', aKey()],
  ])
  expect(whys(await takeOver(store, old()))).toEqual([
    'names row 4: dave stands there twice, and differently',
    'names row 2: carol its key holds alice there as well',
  ])
})

test('an invoice or a kernel that stands for something else here stops everything', async () => {
  const was = separateAuthority(old())
  await store.saveGrant(aGrant({ pubkey: was.payer, invoiceId: 'ours' }), null)
  await store.saveGrant(aGrant({ invoiceId: 'inv-open' }), null)
  const offer = anOffer('erin', { seller: await holderOf(store, 'erin') })
  await store.createOffer(offer)
  await store.transferName({ offerId: offer.id, kernelExcess: was.excess, kernelHeight: 1, now: NOON, cooldownMs: 0 })
  const reasons = whys(await takeOver(store, old()))
  expect(reasons).toHaveLength(3)
  expect(reasons[0]).toContain(`paid_grants row 1: invoice inv-paid its key ${was.payer} has the invoice ours here`)
  expect(reasons[1]).toContain('paid_grants row 2: invoice inv-open belongs here to the key')
  expect(reasons[2]).toContain(`transfers row 1: the sale of carol its kernel paid for the offer ${offer.id} here`)
})

test('a file that was made by hand is read as it is, and calls nothing', async () => {
  const [ada, bob] = [aKey(), aKey()]
  const db = openSqlite(old(), 'durable')
  db.script(`CREATE TABLE names (name TEXT PRIMARY KEY, pubkey TEXT, created_at INTEGER, released_at INTEGER);
    CREATE VIEW offers AS SELECT load_extension('x') AS name;
    INSERT INTO names (rowid, name, pubkey, created_at) VALUES (-7, 'ada', '${ada}', 1), (3, 'bob', '${bob}', 1)`)
  db.close()
  expect(some(await takeOver(store, old()), 'added')).toEqual({ name: 2 })
  expect((await store.activeName('ada'))?.pubkey).toBe(ada)
})

test('an invoice that would move the cursor of its list is reported', async () => {
  const db = openSqlite(old(), 'durable')
  db.script(`CREATE TABLE names (name TEXT, pubkey TEXT, created_at INTEGER);
    CREATE TABLE paid_grants (pubkey TEXT, resource TEXT, invoice_id TEXT, pay_url TEXT, amount_nanogrin INTEGER, status TEXT, created_at INTEGER);
    INSERT INTO paid_grants VALUES ('${aKey()}', 'name', 'a' || char(27) || '[2J', 'https://pay.example/' || char(10), 1, 'pending', 1)`)
  db.close()
  expect(whys(await takeOver(store, old()))).toEqual([
    'paid_grants row 1: invoice_id: not an id; pay_url: not an address',
  ])
})

test('an offer that would end after the end of all calendars is reported', async () => {
  const { event, ...offer } = anOffer('alice', { expiration: 9e15 })
  const file = join(folder, 'lines.jsonl')
  const members = Object.entries(offer).map(([member, cell]) => [
    snake(member),
    typeof cell === 'bigint' ? `${cell}` : cell,
  ])
  writeFileSync(file, `${JSON.stringify({ kind: 'offer', event, ...Object.fromEntries(members) })}\n`)
  expect(whys(await takeOver(store, file))).toEqual([expect.stringContaining('expiration: Too big')])
})

test('a file of something else is named', async () => {
  await expect(openNameSource(join(folder, 'nowhere'))).rejects.toSatisfy(importUnknown.is)
  otherProgram(old())
  await expect(openNameSource(old())).rejects.toSatisfy(importUnknown.is)
  const letter = join(folder, 'letter.txt')
  writeFileSync(letter, 'dear operator,\n{"kind":"wish"}')
  expect(whys(await takeOver(store, letter))).toEqual([
    'line 1: not a JSON object',
    'line 2: unknown kind of row: "wish"',
  ])
  const newer = openSqlite(join(folder, 'names.db'), 'durable')
  newer.script('PRAGMA user_version = 99')
  newer.close()
  await expect(openNameSource(join(folder, 'names.db'))).rejects.toSatisfy(databaseNewer.is)
})

test('two imports at once wait for each other; claims go on meanwhile', async () => {
  separateAuthority(old())
  const [one, two, claim] = await Promise.all([
    takeOver(store, old()),
    takeOver(store, old()),
    store.claimName(aClaim('erin')),
  ])
  expect(some(one, 'added')).toMatchObject({ name: 3 })
  expect(some(two, 'known')).toMatchObject({ name: 3 })
  expect(claim).toMatchObject({ outcome: 'claimed' })
})

const [ROOT, ALICE] = [aKey(), aKey()]

test('a static nostr.json is taken over: a byte order mark, capitals, and the name of the domain itself', async () => {
  const path = join(folder, 'nostr.json')
  const names = { _: ROOT, Alice: ALICE.toUpperCase() }
  writeFileSync(path, `\ufeff\r\n${JSON.stringify({ names, relays: { [ROOT]: ['wss://r.example'] } }, null, 2)}\r\n`)
  const isName = (name: string) => isHoldableName(name, { nameMin: 3, nameMax: 20 })
  const outcome = await takeOver(store, path, { isName })
  expect(some(outcome, 'added')).toEqual({ name: 2 })
  expect(await store.activeName('_')).toMatchObject({ pubkey: ROOT })
  expect(await store.activeName('alice')).toMatchObject({ pubkey: ALICE })
  expect(some(await takeOver(store, path, { isName }), 'known')).toEqual({ name: 2 })
})

test('in a static nostr.json a key with two names, and what is no key, are conflicts by name', async () => {
  const path = join(folder, 'nostr.json')
  writeFileSync(path, JSON.stringify({ names: { anna: ALICE, anna2: ALICE, bob: 'npub1bob', carl: 7 } }))
  expect(whys(await takeOver(store, path))).toEqual([
    expect.stringMatching(/^name "bob": pubkey: not 64 lower-case hex/),
    expect.stringMatching(/^name "carl": pubkey: /),
  ])
  writeFileSync(path, JSON.stringify({ names: { anna: ALICE, anna2: ALICE } }))
  expect(whys(await takeOver(store, path))).toEqual(['name "anna2": anna2 its key holds anna there as well'])
})

test('an export with a byte order mark and blank lines is read like one without', async () => {
  const path = join(folder, 'names.jsonl')
  const line = (name: string) => JSON.stringify({ name, pubkey: aKey(), created_at: 1_700_000_000_000 })
  writeFileSync(path, `\ufeff${line('anna')}\r\n\r\n  \n${line('boris')}\n\n`)
  expect(some(await takeOver(store, path), 'added')).toEqual({ name: 2 })
})
