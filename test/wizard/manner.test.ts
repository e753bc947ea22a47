// The three wizards ask in one manner, and what stands in brackets is what Enter takes.
import { expect, test } from 'vitest'
import { readAnswer, secretRefusal } from '../../src/wizard/answers.js'
import { type Question, rowsOf } from '../../src/wizard/question.js'
import { NAMEAUTH_QUESTIONS, PAY_QUESTIONS, RELAY_QUESTIONS } from '../../src/wizard/questions.js'

const ALL: readonly (readonly [string, Question])[] = [
  ...rowsOf(PAY_QUESTIONS).map(([key, row]) => [`pay ${key}`, row] as const),
  ...rowsOf(NAMEAUTH_QUESTIONS).map(([key, row]) => [`nameauth ${key}`, row] as const),
  ...rowsOf(RELAY_QUESTIONS).map(([key, row]) => [`relay ${key}`, row] as const),
]

test.each(ALL)('%s: no brackets of its own', (_, { message }) => expect(message).not.toMatch(/[()[\]]/))

const YES_OR_NO = ALL.filter(([, { message }]) => message.endsWith(': yes or no'))

test('yes and no are the same words everywhere', () => {
  expect(YES_OR_NO.map(([name]) => name.split(' ')[0]).sort()).toEqual(['nameauth', 'pay', 'relay'])
  for (const [, row] of YES_OR_NO) {
    const read = (text: string) => readAnswer(row, text)
    expect(['Y', 'on', '1', 'TRUE', 'yes'].map(read)).toEqual(Array(5).fill({ value: 'yes' }))
    expect(['n', 'Off', '0', 'false', 'no'].map(read)).toEqual(Array(5).fill({ value: 'no' }))
    expect([read('maybe'), row.words]).toEqual([{ why: 'must be yes or no' }, ['no', 'yes']])
  }
})

test('what is typed hidden is judged as the setting is, without a word of it', () => {
  const hidden = ALL.flatMap(([, row]) => (row.secret === undefined ? [] : [row]))
  expect(hidden).toHaveLength(2)
  for (const row of hidden) {
    expect(secretRefusal(row, 'sesame')).toMatch(/^can be guessed: it must have at least 16 characters/)
    expect(secretRefusal(row, 'sesame-open-sesame')).toBeUndefined()
  }
})
