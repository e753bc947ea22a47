// The operator's lists of a relay with several front ends: nothing is in force before its entry came back from the log.
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openListStore } from '../../src/daemons/parts/relay/lists.js'
import { openSharedLists } from '../../src/daemons/parts/relay/shared-lists.js'
import { createUsedIds } from '../../src/daemons/parts/relay/shared-log.js'
import type { LogChange } from '../../src/relay/index.js'
import { createFakeClock } from '../support/fake-clock.js'
import { createKeptLog } from '../support/kept-log.js'
import { temporaryFolder } from '../support/temporary-store.js'

const [ADA, BOB, ID] = ['a1'.repeat(32), 'b2'.repeat(32), 'e1'.repeat(32)] as const
const ban = (entry: string) => ({ do: 'add', list: 'bannedKeys', entry, reason: '' }) as const

async function shared() {
  const { folder, remove } = temporaryFolder()
  onTestFinished(remove)
  const dbPath = join(folder, 'relay.db')
  const clock = createFakeClock()
  const entries: LogChange[] = []
  const log = createKeptLog() as unknown as Parameters<typeof openSharedLists>[0]['log']
  const lists = await openSharedLists({ dbPath, clock, log, append: async (change) => void entries.push(change) })
  const command = await openListStore({ dbPath, clock })
  return { lists, entries, command }
}

test('a change goes to the log and is in force when its entry is applied, with its time', async () => {
  const { lists, entries, command } = await shared()
  await lists.change(ban(ADA), BOB)
  expect(entries).toEqual([{ type: 'lists', change: ban(ADA), by: BOB }])
  expect(lists.current().bannedKeys.size).toBe(0)
  expect(await lists.apply({ type: 'lists', change: ban(ADA), by: BOB }, 5000)).toEqual([])
  expect([...lists.current().bannedKeys]).toEqual([[ADA, { reason: '', since: 5000 }]])
  expect([...(await command.reload()).bannedKeys.keys()]).toEqual([ADA])
})

test('an invalid change does not reach the log', async () => {
  const { lists, entries } = await shared()
  await expect(lists.change(ban('nobody'), BOB)).rejects.toMatchObject({ code: 'LIST_ENTRY_INVALID' })
  expect(entries).toEqual([])
})

test('what a command wrote into the file goes to the log, also when an entry of another front end comes between', async () => {
  const { lists, entries, command } = await shared()
  await command.change(ban(ADA), 'command')
  await lists.apply({ type: 'lists', change: ban(BOB), by: 'other' }, 5000)
  expect([...lists.current().bannedKeys.keys()]).toEqual([BOB])
  await lists.reload()
  expect(entries).toEqual([{ type: 'lists', change: ban(ADA), by: 'file' }])
  await lists.apply({ type: 'lists', change: ban(ADA), by: 'file' }, 6000)
  await lists.reload()
  expect(entries).toHaveLength(1)
})

test('an applied ban tells which events go, each once', async () => {
  const { lists } = await shared()
  const entry = { type: 'lists', change: { do: 'add', list: 'bannedEvents', entry: ID, reason: '' }, by: BOB } as const
  expect(await lists.apply(entry, 1)).toEqual([ID])
  expect(await lists.apply(entry, 2)).toEqual([])
})

test('the first entry uses an authorization', () => {
  const used = createUsedIds({ now: () => 0 })
  used.record({ id: ID, until: 9, by: 'one' })
  used.record({ id: ID, until: 9, by: 'two' })
  expect([used.authorOf(ID), used.authorOf(ADA)]).toEqual(['one', undefined])
})
