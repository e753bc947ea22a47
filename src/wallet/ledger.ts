// The wallet's rows in memory, and the one way to change them: a draft whose rows become visible when the storage holds them.
import { walletStorageConflict } from './errors.js'
import {
  createChangeSignal,
  type StorageBatch,
  type StoredRecord,
  type StoredWallet,
  type WalletStorage,
} from './storage/storage.js'
import { keyOf, nameOf, type Rows, readRow, recordOf, type TableName, tableOf } from './storage/tables.js'

type Tables = { readonly [N in TableName]: ReadonlyMap<string, Rows[N]> }

/** All rows at one revision. */
export interface WalletState extends Tables {
  readonly revision: number
}

/** Changes on top of a state. Reads see what was put. */
export interface Draft {
  get<N extends TableName>(table: N, name: string): Rows[N] | undefined
  rows<N extends TableName>(table: N): Rows[N][]
  put<N extends TableName>(table: N, row: Rows[N]): void
  remove(table: TableName, name: string): void
}

export interface Ledger {
  /** The newest stored state: what another window or process committed is in it. */
  read(): Promise<WalletState>
  /** Loads again at the next use, whatever revision the storage shows. */
  reload(): void
  /**
   * Runs `step` on a draft of the newest stored state and commits what it put, atomically. After a conflict the state is loaded again
   * and the step repeated, so a step has no other effects. Steps run one at a time. Throws what the step throws, or
   * WALLET_STORAGE_CONFLICT.
   */
  change<T>(step: (draft: Draft) => T | Promise<T>): Promise<T>
  /** Calls `changed` after every commit; after those of other windows too, where the storage hears of them. Returns how to end it. */
  subscribe(changed: () => void): () => void
}

const MOST_CONFLICTS = 10

export function createLedger(storage: WalletStorage): Ledger {
  let known: WalletState | undefined
  let last: Promise<unknown> = Promise.resolve()
  const signal = createChangeSignal()

  /** A refusal on rows that another window has changed would be wrong: the stored revision decides whether the known rows are it. */
  async function current(): Promise<WalletState> {
    if (known && (await storage.revision?.()) === known.revision) return known
    known = undefined
    known = stateOf(await storage.load())
    return known
  }

  async function attempt<T>(step: (draft: Draft) => T | Promise<T>): Promise<{ readonly result: T } | 'conflict'> {
    const state = await current()
    const draft = createDraft(state)
    const result = await step(draft)
    const { put, remove } = draft.batch()
    if (put.length === 0 && remove.length === 0) return { result }
    // Until the storage answers it is unknown what it holds: after a failure the next reader loads again.
    known = undefined
    const outcome = await storage.commit({ revision: state.revision, put, remove })
    if (outcome === 'conflict') return 'conflict'
    known = draft.committed()
    signal.send()
    return { result }
  }

  async function run<T>(step: (draft: Draft) => T | Promise<T>): Promise<T> {
    for (let conflicts = 0; conflicts < MOST_CONFLICTS; conflicts++) {
      const outcome = await attempt(step)
      if (outcome !== 'conflict') return outcome.result
    }
    throw walletStorageConflict()
  }

  /** One after the other, whatever became of those before. */
  function queued<T>(job: () => Promise<T>): Promise<T> {
    const next = last.then(job, job)
    last = next.catch(() => undefined)
    return next
  }

  return {
    read: () => queued(current),
    change: (step) => queued(() => run(step)),
    subscribe: (changed) => storage.watch?.(changed) ?? signal.watch(changed),
    reload: () =>
      void queued(async () => {
        known = undefined
      }),
  }
}

type WritableTables = { readonly [N in TableName]: Map<string, Rows[N]> }

const emptyTables = (): WritableTables => ({
  account: new Map(),
  output: new Map(),
  transaction: new Map(),
  context: new Map(),
  identity: new Map(),
  seenBlock: new Map(),
  scan: new Map(),
})

function stateOf({ revision, records }: StoredWallet): WalletState {
  const tables = emptyTables()
  for (const record of records) readInto(tables, tableOf(record), record)
  return { revision, ...tables }
}

function readInto<N extends TableName>(tables: WritableTables, table: N, record: StoredRecord): void {
  const row = readRow(table, record)
  tables[table].set(nameOf(table, row), row)
}

/** The rows of one table: copied before the first change, so that the state stays as it is if the commit fails. */
function createDraftTable<N extends TableName>(table: N, before: ReadonlyMap<string, Rows[N]>) {
  let rows: Map<string, Rows[N]> | undefined
  const changed = new Set<string>()

  function change(name: string): Map<string, Rows[N]> {
    rows ??= new Map(before)
    changed.add(name)
    return rows
  }

  const now = (): ReadonlyMap<string, Rows[N]> => rows ?? before
  return {
    now,
    put: (row: Rows[N]): void => void change(nameOf(table, row)).set(nameOf(table, row), row),
    remove: (name: string): void => void change(name).delete(name),
    batch(): Pick<StorageBatch, 'put' | 'remove'> {
      const written = [...changed].map((name) => ({ name, row: now().get(name) }))
      return {
        put: written.flatMap(({ row }) => (row === undefined ? [] : [recordOf(table, row)])),
        remove: written.flatMap(({ name, row }) => (row === undefined ? [keyOf(table, name)] : [])),
      }
    },
  }
}

type DraftTables = { readonly [N in TableName]: ReturnType<typeof createDraftTable<N>> }

function createDraft(state: WalletState) {
  const tables: DraftTables = {
    account: createDraftTable('account', state.account),
    output: createDraftTable('output', state.output),
    transaction: createDraftTable('transaction', state.transaction),
    context: createDraftTable('context', state.context),
    identity: createDraftTable('identity', state.identity),
    seenBlock: createDraftTable('seenBlock', state.seenBlock),
    scan: createDraftTable('scan', state.scan),
  }
  const draft: Draft = {
    get: (table, name) => tables[table].now().get(name),
    rows: (table) => [...tables[table].now().values()],
    put: (table, row) => tables[table].put(row),
    remove: (table, name) => tables[table].remove(name),
  }
  return {
    ...draft,
    batch() {
      const batches = Object.values(tables).map((table) => table.batch())
      return { put: batches.flatMap(({ put }) => put), remove: batches.flatMap(({ remove }) => remove) }
    },
    committed: (): WalletState => ({
      revision: state.revision + 1,
      account: tables.account.now(),
      output: tables.output.now(),
      transaction: tables.transaction.now(),
      context: tables.context.now(),
      identity: tables.identity.now(),
      seenBlock: tables.seenBlock.now(),
      scan: tables.scan.now(),
    }),
  }
}
