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
