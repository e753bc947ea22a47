import { expect, test } from 'vitest'
import { problemOf } from '../../src/http/problem.js'
import { defineError, telling } from '../../src/lib/errors.js'

const nameTaken = defineError('NAME_TAKEN', { status: 409, text: () => 'name taken', hint: 'choose another name' })

test('an error tells its own members behind the usual ones', () => {
  const view = problemOf(telling(nameTaken(), { name: 'alice' }), 'r-1')
  expect(view).toEqual({ ...problemOf(nameTaken(), 'r-1'), name: 'alice' })
  expect(Object.keys(view).at(-1)).toBe('name')
})

test('no member of an error takes the place of a usual one', () => {
  const members = {
    error: 'no',
    code: 'X',
    type: 'x',
    title: 'x',
    status: 'paid',
    detail: 'x',
    instance: 'x',
    hint: 'x',
  }
  expect(problemOf(telling(nameTaken(), members), 'r-1')).toEqual(problemOf(nameTaken(), 'r-1'))
})
