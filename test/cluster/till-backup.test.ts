// A till in PostgreSQL whose rows are lost and come back from a backup: none of its keys is handed out again, and no slate of before is signed.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openEnvironment } from '../../src/config/index.js'
import { createBackup } from '../../src/daemons/backup.js'
import { restoredKeyIndexAt } from '../../src/daemons/parts/pay/key-counter.js'
import { restoreBackup } from '../../src/daemons/restore.js'
import { adoptStore } from '../../src/daemons/store-admin.js'
import { databaseWentBack } from '../../src/storage/errors.js'
import type { DatabasePlace } from '../../src/storage/postgres/place.js'
import type { SharedTillParts } from '../../src/storage/postgres/till/store.js'
import { replaceFileForFolder, systemClock, systemRandom, watermarkFile } from '../../src/system/index.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { freshTillPlace, tillOn } from '../support/postgres/schemas.js'
import { aPayment, aRailInvoice, NOON } from '../support/till-builders.js'

const programs = process.env.GRINPAY_PG_BIN ?? ''
const RESTORED = 2 ** 24

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.stop())

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-till-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** An instance as on a machine of its own: what the database acknowledged to it is in its folder. */
function instance(place: DatabasePlace, dataDir: string) {
  mkdirSync(dataDir, { recursive: true })
  return tillOn(place, {
    watermarkFile: { path: watermarkFile(dataDir), replace: replaceFileForFolder },
    keyIndexElsewhere,
  })
}

const keyIndexElsewhere: SharedTillParts['keyIndexElsewhere'] = (known, history) =>
  history === 'restored'
    ? restoredKeyIndexAt(systemClock.now(), known, systemRandom.bytes(3))
    : expect.unreachable('no node was promoted')

/** Programs are found there first while `work` runs. */
async function withPrograms<T>(work: () => Promise<T>): Promise<T> {
  const before = process.env.PATH
  process.env.PATH = `${programs}:${before}`
  try {
    return await work()
  } finally {
    process.env.PATH = before
  }
}

describe.skipIf(!existsSync(join(programs, 'pg_dump')))(
  'rows from a backup (needs GRINPAY_PG_BIN with pg_dump and pg_restore)',
  () => {
    /** A till with an open slate, its backup, and what came after it; then the schema is lost, and the backup put back. */
    async function restoredTill() {
      const place = await freshTillPlace(cluster.url())
      const folder = newFolder()
      const dataDir = join(folder, 'data')
      const till = await instance(place, dataDir)
      const { invoice, slate } = aRailInvoice()
      await till.insertInvoice(invoice, NOON, undefined, slate)
      await till.check()

      const environment = openEnvironment({
        variables: {
          PAY_CHAIN: 'usernet',
          PAY_NODE_URL: 'http://127.0.0.1:9',
          PAY_DATA_DIR: dataDir,
          PAY_DATABASE_URL: cluster.url(),
          PAY_DATABASE_SCHEMA: place.schema,
        },
      })
      const { file } = await withPrograms(() =>
        createBackup({
          settings: { daemon: 'pay', sources: { environment, file: undefined } },
          out: join(folder, 'backups'),
          recipient: undefined,
          withSecrets: false,
          version: '0',
          mayUse: () => undefined,
        }),
      )
      const keyIndex = await till.takeKeyIndex()
      await till.acceptPayment(aPayment({ keyIndex }), null, NOON, NOON)
      const next = await till.nextKeyIndex()
      await till.close()

      const to = join(folder, 'restored')
      const restored = await restoreBackup({ file, to, identityFile: undefined, daemon: 'pay' })
      await cluster.nodes[0].sql(`DROP SCHEMA ${place.schema} CASCADE`)
      const dump = join(to, 'data', 'pay.dump')
      const [, port = ''] = /:(\d+),/.exec(cluster.url()) ?? []
      execFileSync(join(programs, 'pg_restore'), [
        '-h',
        '127.0.0.1',
        '-p',
        port,
        '-U',
        'grinpay',
        '-d',
        'postgres',
        dump,
      ])
      return { place, dataDir, next, slateId: slate.slateId, restored, folder }
    }

    test('an instance on a new machine goes on far behind, and closes the slates', async () => {
      const { place, next, slateId, restored, folder } = await restoredTill()
      expect(restored.next.join('\n')).toMatch(
        /pg_restore .*pay\.dump[\s\S]*grinpay store adopt --daemon pay --restored/,
      )
      const till = await instance(place, join(folder, 'another'))
      const goesOn = await till.nextKeyIndex()
      expect(goesOn).toBeGreaterThanOrEqual(next + RESTORED - 1)
      expect(await till.invoiceSlate(slateId)).toMatchObject({ state: 'closed', sealedSecrets: null })
      // Once, whatever connects.
      const second = await instance(place, join(folder, 'third'))
      expect(await second.nextKeyIndex()).toBe(goesOn)
    })

    test('an instance that knows more stops, until the operator accepts it', async () => {
      const { place, dataDir, next } = await restoredTill()
      await expect(instance(place, dataDir)).rejects.toSatisfy(databaseWentBack.is)
      const settings = { daemon: 'pay' as const, path: '', dataDir, database: { ...place, unsafe: undefined } }
      // A second start says the same.
      await expect(instance(place, dataDir)).rejects.toSatisfy(databaseWentBack.is)
      const adopted = await adoptStore(settings, { isRestored: true })
      const [raised] = await cluster.nodes[0].sql(`SELECT next_key_index FROM ${place.schema}.wallet`)
      expect(Number(raised?.next_key_index)).toBeGreaterThanOrEqual(next + RESTORED - 1)
      expect(adopted).toMatchObject({ adopted: true, next_key: { after: Number(raised?.next_key_index) } })
      expect(adopted.next_key?.before).toBeLessThanOrEqual(next)
      const till = await instance(place, dataDir)
      expect(await till.nextKeyIndex()).toBe(Number(raised?.next_key_index))
    })
  },
)
