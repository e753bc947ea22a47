// The plain form of env files (specification: names, 11).
import { expect, test } from 'vitest'
import { openEnvironment } from '../../src/config/index.js'

const read = (text: string, variables = {}) =>
  openEnvironment({ envFile: '/x/nameauth.env', form: 'plain', variables, readFile: () => text })

test.each([
  ['A=b', 'b'],
  ['  A = b c \r', 'b c'],
  ['export A=b', 'b'],
  ['A="b c"', 'b c'],
  ["A='b'", 'b'],
  ['A=""b""', '"b"'],
  ['A="b\'', '"b\''],
  ['A=b=c', 'b=c'],
  ['A=b # c', 'b # c'],
  ['A=b#c', 'b#c'],
  ['A="b\\n"', 'b\\n'],
  ['A=1\nA=2', '2'],
  ['A="', '"'],
  ['A=', ''],
])('%j gives %j', (text, value) => {
  expect(read(text).find('A')).toEqual({ text: value, origin: '/x/nameauth.env' })
})

test.each(['', '#A=b', ' # A=b', 'A', '=b', 'export', 'export =b', ' = '])('%j gives nothing', (text) => {
  expect(read(text).names()).toEqual([])
})

test('a variable that is present stays, even when it is empty', () => {
  expect(read('A=file\nB=file', { A: '' }).find('A')).toEqual({ text: '', origin: 'environment' })
  expect(read('A=file\nB=file', { A: '' }).find('B')?.text).toBe('file')
})
