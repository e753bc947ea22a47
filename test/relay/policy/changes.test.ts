// The changes that lead from one state of the operator's lists to another.
import { expect, test } from 'vitest'
import {
  applyChange,
  changesBetween,
  type ListChange,
  NO_LISTS,
  type OperatorLists,
} from '../../../src/relay/policy/index.js'

const [ADA, BOB] = ['a1'.repeat(32), 'b2'.repeat(32)] as const
const after = (lists: OperatorLists, ...changes: readonly ListChange[]) =>
  changes.reduce((all, change) => applyChange(all, change, 7), lists)
const add = (list: 'bannedKeys' | 'allowedKeys', entry: string, reason = ''): ListChange => ({
  do: 'add',
  list,
  entry,
  reason,
})

test.each<[string, readonly ListChange[], readonly ListChange[]]>([
  ['nothing', [], []],
  ['an entry more', [], [add('bannedKeys', ADA, 'spam')]],
  ['an entry less', [add('bannedKeys', ADA)], [{ do: 'remove', list: 'bannedKeys', entry: ADA, reason: '' }]],
  ['another reason', [add('bannedKeys', ADA, 'spam')], [add('bannedKeys', ADA, 'scam')]],
  ['a key that changes sides', [add('allowedKeys', ADA), add('bannedKeys', BOB)], [add('bannedKeys', ADA)]],
  ['a text', [], [{ do: 'say', what: 'name', text: 'Relay' }]],
  ['no text any more', [{ do: 'say', what: 'name', text: 'Relay' }], [{ do: 'say', what: 'name', text: '' }]],
])('%s', (_what, first, then) => {
  const before = after(NO_LISTS, ...first)
  const wanted = after(before, ...then)
  const changes = changesBetween(before, wanted)
  expect(changes.length === 0).toBe(then.length === 0)
  const reached = after(before, ...changes)
  expect(changesBetween(reached, wanted)).toEqual([])
  expect(reached.bannedKeys).toEqual(wanted.bannedKeys)
  expect(reached.allowedKeys).toEqual(wanted.allowedKeys)
})

test('an address is one entry in every spelling, and each spelling removes it', () => {
  const address = (how: 'add' | 'remove', entry: string): ListChange => ({
    do: how,
    list: 'blockedAddresses',
    entry,
    reason: '',
  })
  const added = after(NO_LISTS, address('add', '2001:0DB8:0::1'), address('add', '2001:db8::1'))
  expect([...added.blockedAddresses.keys()]).toEqual(['2001:db8::1'])
  expect(after(added, address('remove', '2001:db8:0:0:0::1')).blockedAddresses.size).toBe(0)
  const mapped = after(NO_LISTS, address('add', '::ffff:203.0.113.7'))
  expect([...mapped.blockedAddresses.keys()]).toEqual(['203.0.113.7'])
})
