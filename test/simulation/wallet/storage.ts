// One stored wallet that several windows share: each reaches it after some time, sometimes in vain, and a commit whose window is gone
// takes effect or not.
import { createMemoryStorage, type StorageBatch, type WalletStorage, walletErrors } from '../../../src/wallet/index.js'
import type { Chance } from '../ground/chance.js'
import type { VirtualTime } from '../ground/time.js'

/** Passes one point at which a window may be dropped; never returns for one that was. */
export type Pass = (point: string, mostMs: number) => Promise<void>

export interface SharedStorage {
  /** As one window has it. */
  view(pass: Pass): WalletStorage
  /** How often a commit fails, from 0 to 1: half of those that do are stored all the same. */
  failing: number
}

export interface StorageParts {
  readonly time: VirtualTime
  readonly chance: Chance
  /** Called for every batch that is stored. */
  readonly stored: (batch: StorageBatch) => void
  readonly reach: (fault: string) => void
  /** False: a storage that only loads and commits. */
  readonly hasRevisions: boolean
}

const DISK_MS = 20

export function createSharedStorage({ time, chance, stored, reach, hasRevisions }: StorageParts): SharedStorage {
  const inner = createMemoryStorage()

  /** What the disk does, whatever became of the window that asked for it. */
  async function onDisk(batch: StorageBatch): Promise<'committed' | 'conflict'> {
    await time.sleep(chance.whole(0, DISK_MS))
    const outcome = await inner.commit(batch)
    if (outcome === 'committed') stored(batch)
    return outcome
  }

  const shared: SharedStorage = {
    failing: 0,
    view(pass) {
      async function read<T>(what: string, job: () => Promise<T>): Promise<T> {
        await pass(what, DISK_MS)
        const answer = await job()
        await pass(`${what} answered`, DISK_MS)
        return answer
      }
      const view: WalletStorage = {
        load: () => read('load', inner.load),
        async commit(batch) {
          await pass('commit', DISK_MS)
          const [fails, takesEffect] = [chance.is(shared.failing), chance.is(0.5)]
          if (fails && !takesEffect) throw failure(reach, 'not stored')
          const outcome = onDisk(batch)
          await pass('commit under way', DISK_MS)
          const answer = await outcome
          await pass('commit answered', DISK_MS)
          if (fails) throw failure(reach, 'stored')
          return answer
        },
      }
      const { revision, watch } = inner
      return hasRevisions && revision && watch
        ? { ...view, revision: () => read('revision', () => revision()), watch }
        : view
    },
  }
  return shared
}

function failure(reach: (fault: string) => void, what: string) {
  reach(`storage × commit ${what}`)
  return walletErrors.walletStorageFailed('a fault of the world')
}
