// What every storage of a wallet must do. Plain promises, so that a browser can run it from a module: a case rejects when it fails.
import type { StoredRecord, WalletStorage } from '../../../src/wallet/index.js'

/** A store that nothing was written to. Each call opens another handle on it, as another window does. */
export type OpenStore = () => Promise<WalletStorage>

export interface StorageCase {
  readonly name: string
  run(open: OpenStore): Promise<void>
}

function check(isTrue: boolean, what: string): asserts isTrue {
  if (!isTrue) throw new Error(what)
}

function same(have: unknown, want: unknown, what: string): void {
  check(
    JSON.stringify(have) === JSON.stringify(want),
    `${what}: have ${JSON.stringify(have)}, want ${JSON.stringify(want)}`,
  )
}

const record = (key: string, value: string): StoredRecord => ({ key, value })
const sorted = (records: readonly StoredRecord[]): StoredRecord[] =>
  records.map(({ key, value }) => ({ key, value })).sort((a, b) => (a.key < b.key ? -1 : 1))

async function contentOf(storage: WalletStorage): Promise<unknown> {
  const { revision, records } = await storage.load()
  return { revision, records: sorted(records) }
}

export const STORAGE_CONTRACT: readonly StorageCase[] = [
  {
    name: 'a new store is empty, at revision 0',
    async run(open) {
      same(await contentOf(await open()), { revision: 0, records: [] }, 'content')
    },
  },
  {
    name: 'a batch writes, overwrites and removes, and raises the revision by one',
    async run(open) {
      const storage = await open()
      const first = [record('a/1', 'one'), record('a/2', 'two'), record('b/1', 'three')]
      same(await storage.commit({ revision: 0, put: first, remove: [] }), 'committed', 'first')
      const second = { revision: 1, put: [record('a/2', 'more')], remove: ['b/1', 'never/was'] }
      same(await storage.commit(second), 'committed', 'second')
      const want = { revision: 2, records: [record('a/1', 'one'), record('a/2', 'more')] }
      same(await contentOf(storage), want, 'content')
      same(await contentOf(await open()), want, 'content of another handle')
    },
  },
  {
    name: 'a batch on an older or newer revision stores nothing',
    async run(open) {
      const storage = await open()
      await storage.commit({ revision: 0, put: [record('a/1', 'one')], remove: [] })
      for (const revision of [0, 2]) {
        const outcome = await storage.commit({ revision, put: [record('a/2', 'two')], remove: ['a/1'] })
        same(outcome, 'conflict', `revision ${revision}`)
      }
      same(await contentOf(storage), { revision: 1, records: [record('a/1', 'one')] }, 'content')
    },
  },
  {
    name: 'of two handles that change one revision, one gets a conflict',
    async run(open) {
      const handles = [await open(), await open()]
      const outcomes = await Promise.all(
        handles.map((handle, at) => handle.commit({ revision: 0, put: [record(`a/${at}`, 'it')], remove: [] })),
      )
      same([...outcomes].sort(), ['committed', 'conflict'], 'outcomes')
      const winner = outcomes.indexOf('committed')
      for (const handle of handles)
        same(await contentOf(handle), { revision: 1, records: [record(`a/${winner}`, 'it')] }, 'content')
    },
  },
  {
    name: 'many commits at once lose nothing',
    async run(open) {
      const storage = await open()
      const raise = async (at: number): Promise<void> => {
        for (let tries = 0; tries < 100; tries++) {
          const { revision } = await storage.load()
          const put = [record(`row/${at}`, `${revision}`)]
          if ((await storage.commit({ revision, put, remove: [] })) === 'committed') return
        }
        throw new Error(`commit ${at} never got through`)
      }
      await Promise.all(Array.from({ length: 8 }, (_, at) => raise(at)))
      const { revision, records } = await storage.load()
      same([revision, records.length], [8, 8], 'revision and records')
      same(
        records.map(({ value }) => value).sort(),
        ['0', '1', '2', '3', '4', '5', '6', '7'],
        'one commit per revision',
      )
    },
  },
  {
    name: 'a batch may be empty, and may be large',
    async run(open) {
      const storage = await open()
      same(await storage.commit({ revision: 0, put: [], remove: [] }), 'committed', 'empty')
      const put = Array.from({ length: 2000 }, (_, at) => record(`output/${at}`, 'x'.repeat(1500)))
      same(await storage.commit({ revision: 1, put, remove: [] }), 'committed', 'large')
      const { revision, records } = await storage.load()
      same([revision, records.length, records[0]?.value.length], [2, 2000, 1500], 'content')
    },
  },
  {
    name: 'texts come back as they were',
    async run(open) {
      const storage = await open()
      const values = ['', '{"v":1}', 'ä€😀\u0000\n', ' spaces ']
      await storage.commit({ revision: 0, put: values.map((value, at) => record(`t/${at}`, value)), remove: [] })
      const { records } = await (await open()).load()
      same(
        sorted(records).map(({ value }) => value),
        values,
        'values',
      )
    },
  },
  {
    name: 'what was loaded does not change afterwards',
    async run(open) {
      const storage = await open()
      await storage.commit({ revision: 0, put: [record('a/1', 'one')], remove: [] })
      const loaded = await storage.load()
      await storage.commit({ revision: 1, put: [record('a/1', 'two'), record('a/2', 'new')], remove: [] })
      same(sorted(loaded.records), [record('a/1', 'one')], 'loaded before')
    },
  },
  {
    name: 'the revision by itself is that of the newest state, whichever handle committed it',
    async run(open) {
      const [one, other] = [await open(), await open()]
      same(await other.revision?.(), 0, 'of a new store')
      await one.commit({ revision: 0, put: [record('a/1', 'one')], remove: [] })
      same([await one.revision?.(), await other.revision?.()], [1, 1], 'after a commit')
      await other.commit({ revision: 0, put: [record('a/1', 'two')], remove: [] })
      same(await one.revision?.(), 1, 'after a conflict')
    },
  },
  {
    name: 'commits are heard of by every handle that watches, until it does not',
    async run(open) {
      const [one, other] = [await open(), await open()]
      const heard = { one: 0, other: 0 }
      const commit = (revision: number) => one.commit({ revision, put: [record('a/1', `${revision}`)], remove: [] })
      let end: (() => void) | undefined
      await new Promise<void>((resolve, reject) => {
        one.watch?.(() => heard.one++)
        end = other.watch?.(() => {
          heard.other++
          resolve()
        })
        commit(0).catch(reject)
      })
      check(heard.one > 0 && heard.other > 0, `heard: ${JSON.stringify(heard)}`)
      const before = heard.other
      end?.()
      await commit(1)
      same(heard.other, before, 'heard after the end')
    },
  },
  {
    name: 'closing twice is no error',
    async run(open) {
      const storage = await open()
      await storage.close?.()
      await storage.close?.()
      same(await contentOf(await open()), { revision: 0, records: [] }, 'content of a new handle')
    },
  },
]
