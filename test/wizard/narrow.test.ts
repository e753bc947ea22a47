// Every question of the three setups at 60 and 100 columns: no word of it, and no default that fits, is broken by the prompt.
import { describe, expect, test } from 'vitest'
import { initialOf } from '../../src/wizard/answers.js'
import { fitQuestion } from '../../src/wizard/narrow.js'
import { type Questions, rowsOf } from '../../src/wizard/question.js'
import { NAMEAUTH_QUESTIONS, PAY_QUESTIONS, RELAY_QUESTIONS } from '../../src/wizard/questions.js'

const around = {
  dataDir: '/var/lib/grinpay',
  tillAt: 'http://127.0.0.1:8192',
  proxy: 'nginx',
  isService: true,
} as const
const asked = [
  ...[PAY_QUESTIONS, RELAY_QUESTIONS, NAMEAUTH_QUESTIONS].flatMap((questions: Questions) =>
    rowsOf(questions).map((row) => ({
      message: row[1].message,
      initial: initialOf(row, {}, { given: {}, present: {}, around }),
    })),
  ),
  { message: 'API token of the till (Enter: keep the present one)', initial: undefined },
]

describe.each([60, 100])('%s columns', (columns) => {
  test.each(asked)('$message', ({ message, initial }) => {
    const fitted = fitQuestion(message, initial, columns)
    expect(fitted.replaceAll('\n', ' ')).toBe(message)
    const lines = `? ${fitted}${initial === undefined ? '' : ` (${initial}) `}`.split('\n')
    for (const line of lines.slice(0, -1)) expect(line.length).toBeLessThanOrEqual(columns)
    // A list of addresses that is longer than the terminal stands there as it is.
    if ((initial ?? '').length < columns - 20) expect(lines.at(-1)?.length).toBeLessThanOrEqual(columns)
  })
})

test('what fits stays on one line', () => expect(fitQuestion('Listen on', '127.0.0.1:8080', 60)).toBe('Listen on'))
test('nothing is broken where the width is not known', () => {
  const long = 'a question '.repeat(30).trim()
  expect(fitQuestion(long, undefined, undefined)).toBe(long)
})
test('the last words go to the line of the default', () => {
  expect(fitQuestion('Days that events are kept, gift wraps aside, or forever', 'forever', 60)).toBe(
    'Days that events are kept, gift wraps aside, or\nforever',
  )
})
test('a default that no line has room for breaks no question', () => {
  expect(fitQuestion('Grin nodes, best first', 'https://'.repeat(10), 60)).toBe('Grin nodes, best first')
})
