// A real store in a folder of its own: a till's, a name authority's.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type OpenConsoleStore,
  type OpenNameStore,
  type OpenTillStore,
  openConsoleStore,
  openNameStore,
  openTillStore,
} from '../../src/storage/index.js'
import { NOON } from './till-builders.js'

export const WALLET = { chain: 'testnet', fingerprint: 'tgrin1test', now: () => NOON } as const

export function temporaryFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-store-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

interface Temporary<T> {
  readonly store: T
  readonly path: string
  remove(): Promise<void>
}

export const openTemporaryStore = (): Promise<Temporary<OpenTillStore>> =>
  openTemporary('pay.db', (path) => openTillStore({ path, ...WALLET }))

export const openTemporaryNames = (): Promise<Temporary<OpenNameStore>> =>
  openTemporary('names.db', (path) => openNameStore({ path, now: () => NOON }))

export const openTemporaryConsole = (): Promise<Temporary<OpenConsoleStore>> =>
  openTemporary('console.db', (path) => openConsoleStore({ path }))

async function openTemporary<T extends { close(): Promise<void> }>(
  file: string,
  open: (path: string) => Promise<T>,
): Promise<Temporary<T>> {
  const { folder, remove } = temporaryFolder()
  const path = join(folder, file)
  const store = await open(path)
  return {
    store,
    path,
    async remove() {
      await store.close()
      remove()
    },
  }
}
