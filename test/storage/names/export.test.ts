import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { shapeOf } from '../../../src/authority/index.js'
import { databaseReadOnly } from '../../../src/storage/errors.js'
import { formatNameRow, type OpenNameStore, openNameReader, openNameSource } from '../../../src/storage/index.js'
import { parseNameLine } from '../../../src/storage/names/lines.js'
import { aClaim, aGrant, aKey, anOffer, COOLDOWN, holderOf } from '../../support/name-builders.js'
import { everything, LATER, openStoreAt, some, takeOver } from '../../support/name-import.js'
import { openPositions, showsOpenFiles } from '../../support/open-files.js'
import { temporaryFolder } from '../../support/temporary-store.js'
import { freshHex, grin, NOON, SECOND } from '../../support/till-builders.js'

let folder: string
let store: OpenNameStore

beforeEach(async () => {
  const place = temporaryFolder()
  folder = place.folder
  store = await openStore('names.db')
  onTestFinished(place.remove)
})

const openStore = (file: string): Promise<OpenNameStore> => openStoreAt(join(folder, file))

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
  await into.createOffer(offer)
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

test('a reader writes everything out, and takes nothing over', async () => {
  await fill(store)
  const reader = await openNameReader({ path: join(folder, 'names.db') })
  onTestFinished(() => reader.close())
  expect(await everything(reader)).toEqual(await everything(store))
  await expect(reader.importNames([], { reason: 'x', now: LATER, isName: () => true, shapeOf })).rejects.toSatisfy(
    databaseReadOnly.is,
  )
})

test('any line is a row or says what is wrong with it, and a row prints to a line that reads back', async () => {
  await fill(store)
  const lines = await everything(store)
  for (const line of lines) expect(parseNameLine(line)).toMatchObject({ kind: JSON.parse(line).kind })
  const damaged = fc
    .tuple(fc.constantFrom(...lines), fc.nat(400), fc.string({ unit: 'binary', maxLength: 5 }))
    .map(([line, at, junk]) => line.slice(0, at) + junk + line.slice(at + junk.length))
  const members = fc.constantFrom(...lines.map((line) => JSON.parse(line) as Record<string, unknown>))
  const changed = fc
    .tuple(members, fc.nat(12), fc.jsonValue())
    .map(([row, at, value]) => JSON.stringify({ ...row, [Object.keys(row)[at] ?? 'more']: value }))
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), damaged, changed), (line) => {
      const row = parseNameLine(line)
      if (typeof row === 'string') expect(row).not.toBe('')
      else expect(parseNameLine(formatNameRow(row))).toEqual(row)
    }),
    { numRuns: 2000 },
  )
})

test('a kind that is no word is exported as it stands there', () => {
  expect(parseNameLine('{"kind":{"toString":1}}')).toBe('unknown kind of row: {"toString":1}')
  expect(parseNameLine('{"kind":null}')).toBe('unknown kind of row: null')
})

test('whatever a line says is kept or refused by the database, never half', async () => {
  await fill(store)
  const lines = await everything(store)
  const members = fc.constantFrom(...lines.map((line) => JSON.parse(line) as Record<string, unknown>))
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom(0, null, '', 'paid', aKey(), '18446744073709551615'))
  const changed = fc
    .tuple(members, fc.nat(12), value)
    .map(([row, at, wild]) => JSON.stringify({ ...row, [Object.keys(row)[at] ?? 'more']: wild }))
  const change = { reason: 'x', now: LATER, isName: () => true, shapeOf, isDryRun: true }
  await fc.assert(
    fc.asyncProperty(fc.array(changed, { maxLength: 8 }), async (wild) => {
      const rows = wild.map((line, i) => ({ place: `line ${i + 1}`, row: parseNameLine(line) }))
      const { outcome } = await store.importNames(rows, change)
      expect(['imported', 'conflicts']).toContain(outcome)
    }),
    { numRuns: 200 },
  )
  expect(await everything(store)).toEqual(lines)
})

/** Long enough to be read in hundreds of pieces. */
const MANY_BYTES = 16 * 2 ** 20

test.runIf(showsOpenFiles)('lines are not read any further when their reader leaves', async () => {
  const path = join(folder, 'long.jsonl')
  writeFileSync(path, Buffer.alloc(MANY_BYTES, 'no row\n'))
  const { rows } = await openNameSource(path)
  for await (const { place } of rows) {
    expect(place).toBe('line 1')
    break
  }
  let read = 0
  await vi.waitFor(() => {
    const open = openPositions(path)
    read = Math.max(read, ...open)
    expect(open).toEqual([])
  })
  expect(read).toBeLessThan(MANY_BYTES / 16)
})
