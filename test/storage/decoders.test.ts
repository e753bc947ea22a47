// Cursors come from outside, and documents may be damaged on the disk.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { GrinpayError } from '../../src/lib/errors.js'
import { openDocument } from '../../src/storage/documents.js'
import type { OpenNameStore, OpenTillStore } from '../../src/storage/index.js'
import { openTemporaryNames, openTemporaryStore, temporaryFolder } from '../support/temporary-store.js'

let store: OpenTillStore
let names: OpenNameStore
let remove: () => Promise<unknown>
beforeAll(async () => {
  const [till, authority] = [await openTemporaryStore(), await openTemporaryNames()]
  store = till.store
  names = authority.store
  remove = () => Promise.all([till.remove(), authority.remove()])
})
afterAll(() => remove())

test('any text is a cursor or BAD_CURSOR, in every list', async () => {
  const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^\d{0,20}-?\d{0,20}$/))
  await fc.assert(
    fc.asyncProperty(texts, async (cursor) => {
      const lists = [
        store.listInvoices({ limit: 5, cursor }),
        store.listPayments({ limit: 5, cursor }),
        store.listDeliveries({ limit: 5, cursor }),
        store.listUsers(5, cursor),
        store.invoiceKeysToWatch(0, 5, cursor),
        store.endpubsToWatch(1, 5, cursor),
        names.listOffers({}, 5, cursor),
        names.listGrants({}, 5, cursor),
      ]
      const outcomes = await Promise.allSettled(lists)
      const expected = /^\d{1,16}-\d{1,16}$/.test(cursor) ? 'ok' : 'BAD_CURSOR'
      for (const outcome of outcomes) {
        const reason: unknown = outcome.status === 'rejected' ? outcome.reason : undefined
        expect(reason instanceof GrinpayError ? reason.code : (reason ?? 'ok')).toBe(expected)
      }
    }),
    { numRuns: 300 },
  )
})

test('any text is a cursor or BAD_CURSOR, in the lists by name and in the history', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^\d{0,20}$/)), async (cursor) => {
      const lists = [names.listNames({}, 5, cursor), names.listReserved(5, cursor), names.history({}, 5, cursor)]
      for (const outcome of await Promise.allSettled(lists)) {
        const reason: unknown = outcome.status === 'rejected' ? outcome.reason : undefined
        expect(['ok', 'BAD_CURSOR']).toContain(reason instanceof GrinpayError ? reason.code : (reason ?? 'ok'))
      }
    }),
    { numRuns: 300 },
  )
})

test('any text in the place of an id is an unknown id', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (id) => {
      const found = await Promise.all([
        store.invoiceById(id),
        store.invoiceByToken(id),
        store.paymentById(id),
        store.deliveryById(id),
        store.userById(id),
        store.messageOfPayment(id, 'reply'),
        store.invoiceSlate(id),
        store.invoiceByRecipient(id),
        store.endpubOf(id),
        names.activeName(id),
        names.nameOfKey(id),
        names.nameRecord(id),
        names.grant(id, 'name'),
        names.grantOfInvoice(id),
        names.offer(id),
        names.transferOf(id),
      ])
      expect(await names.cooldownUntil(id)).toBe(0)
      expect(found.filter((one) => one !== undefined)).toEqual([])
    }),
    { numRuns: 300 },
  )
})

test('any file is a document or DOCUMENT_DAMAGED, and what is written reads back', async () => {
  const { folder, remove: away } = temporaryFolder()
  const schema = z.strictObject({ name: z.string(), relays: z.array(z.string()) })
  const path = join(folder, 'document.json')
  const replace = async (target: string, content: string) => writeFileSync(target, content)
  const open = () => openDocument({ path, schema, initial: { name: '', relays: [] }, replace })
  const documents = fc.record({
    name: fc.string({ unit: 'grapheme' }),
    relays: fc.array(fc.string({ unit: 'grapheme' })),
  })
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.json()), documents, async (text, document) => {
      writeFileSync(path, text)
      const thrown = await open().then(
        () => undefined,
        (error: unknown) => error,
      )
      if (thrown !== undefined) expect(thrown).toMatchObject({ name: 'GrinpayError', code: 'DOCUMENT_DAMAGED' })
      writeFileSync(path, JSON.stringify({ name: '', relays: [] }))
      await (await open()).update(() => document)
      expect((await open()).read()).toEqual(document)
    }),
    { numRuns: 60 },
  )
  away()
})
