// A real store in a folder of its own: a till's, a name authority's.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OpenNameStore, type OpenTillStore, openNameStore, openTillStore } from '../../src/storage/index.js'
import { NOON } from './till-builders.js'

export const WALLET = { chain: 'testnet', fingerprint: 'tgrin1test', now: () => NOON } as const

export function temporaryFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-store-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

export async function openTemporaryStore(): Promise<{ store: OpenTillStore; path: string; remove(): Promise<void> }> {
  const { folder, remove } = temporaryFolder()
  const path = join(folder, 'pay.db')
  const store = await openTillStore({ path, ...WALLET })
  return {
    store,
    path,
    async remove() {
      await store.close()
      remove()
    },
  }
}

export async function openTemporaryNames(): Promise<{ store: OpenNameStore; path: string; remove(): Promise<void> }> {
  const { folder, remove } = temporaryFolder()
  const path = join(folder, 'names.db')
  const store = await openNameStore({ path, now: () => NOON })
  return {
    store,
    path,
    async remove() {
      await store.close()
      remove()
    },
  }
}
