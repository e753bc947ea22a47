// Where a till keeps its rows: in a file of this machine, or in PostgreSQL, where several instances share them.
import type { PayConfig } from '../../../config/index.js'
import type { SteadyClock } from '../../../lib/steady-clock.js'
import { openSharedTill, openTillStore, type RunningTillStore, type SharedTill } from '../../../storage/index.js'
import {
  createDirectory,
  replaceFileForFolder,
  type SystemClock,
  type SystemLog,
  type SystemRandom,
  unmarkNewWallet,
  watermarkFile,
} from '../../../system/index.js'
import type { Check, Part } from '../../runtime.js'
import { databaseCheck } from '../database-check.js'
import { createDiskReserve, type DiskReserve } from '../disk-reserve.js'
import { heedClockAtStart } from './clock-at-start.js'
import { firstKeyIndexAt, PROMOTION_SKIP, restoredKeyIndexAt } from './key-counter.js'
import { refuseLostDatabase } from './lost-database.js'

/** What the instances of a till share beside its rows. */
export type Sharing = Pick<SharedTill, 'bell' | 'keepLease' | 'instances'>

interface OpenTill {
  readonly store: RunningTillStore
  /** With other instances on the same rows. Undefined: no other one can use the file. */
  readonly sharing: Sharing | undefined
  /** Resolves when the daemon must stop for good. */
  readonly failure: Promise<Error> | undefined
  readonly part: Part
  /** Undefined: the rows are on another machine. */
  readonly reserve: DiskReserve | undefined
}

interface TillContext {
  readonly clock: SystemClock & SteadyClock
  readonly random: SystemRandom
  readonly log: SystemLog
  /** Address of the wallet. */
  readonly fingerprint: string
}

type Places = Pick<PayConfig, 'database' | 'dbPath' | 'dataDir' | 'chain'>

/** Throws what opening a database throws. Keys that are handed out from now on were never handed out before. */
export async function openTill(config: Places, context: TillContext): Promise<OpenTill> {
  const { clock } = context
  const till = await (config.database ? openShared(config, config.database, context) : openFile(config, context))
  const { store } = till
  try {
    await unmarkNewWallet(config.dataDir)
    await heedClockAtStart(store, clock)
    await store.skipKeyIndexTo(firstKeyIndexAt(clock.now(), await store.keysAsOf()))
    await store.check() // the counter is as of now
    return till
  } catch (error) {
    await store.close()
    throw error
  }
}

async function openFile(config: Places, { clock, random, log, fingerprint }: TillContext): Promise<OpenTill> {
  refuseLostDatabase(config)
  const { chain, dbPath: path } = config
  const store = await openTillStore({ path, chain, fingerprint, now: clock.now })
  await closeOldSlates(store, log)
  const reserve = createDiskReserve({ path, clock, random, log })
  const part = partOf(store, async () => reserve.checked(await databaseCheck(path, store.check)))
  return { store, sharing: undefined, failure: undefined, part, reserve }
}

/**
 * The file may be an older one that was put back (volume, snapshot of the machine): a slate that is open in it may have signed its I2
 * since. So no slate outlives the process that issued it; open invoices get fresh ones in the background.
 */
async function closeOldSlates(store: RunningTillStore, log: SystemLog): Promise<void> {
  const slates = await store.closeEveryInvoiceSlate()
  if (slates > 0) log.info({ slates }, 'invoice slates of the last run are closed; open invoices get fresh ones')
}

/** Slates of other instances stay open: those of a database that went back are closed by the store and by `grinpay store adopt`. */
async function openShared(
  { dataDir, chain }: Places,
  place: NonNullable<Places['database']>,
  { fingerprint, ...context }: TillContext,
): Promise<OpenTill> {
  await createDirectory(dataDir, 0o700)
  const shared = await openSharedTill({
    place,
    chain,
    fingerprint,
    ...context,
    watermarkFile: { path: watermarkFile(dataDir), replace: replaceFileForFolder },
    keyIndexElsewhere: (known, history) =>
      history === 'restored'
        ? restoredKeyIndexAt(context.clock.now(), known, context.random.bytes(3))
        : firstKeyIndexAt(context.clock.now(), known) + PROMOTION_SKIP,
    mustExist: true,
  })
  return {
    store: shared,
    sharing: shared,
    failure: shared.failure,
    part: partOf(shared, () => sharedCheck(shared)),
    reserve: undefined,
  }
}

const partOf = (store: RunningTillStore, check: () => Promise<Check>): Part => ({
  name: 'database',
  start: async () => {},
  stop: () => store.close(),
  check,
})

async function sharedCheck(store: RunningTillStore): Promise<Check> {
  await store.check()
  return { ok: true, detail: 'writable, on a second machine' }
}
