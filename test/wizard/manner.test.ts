// The three wizards ask in one manner, and what stands in brackets is what Enter takes.
import { expect, test } from 'vitest'
import { nameauthQuestions } from '../../src/wizard/nameauth/questions.js'
import { QUESTIONS } from '../../src/wizard/pay/questions.js'
import type { Question } from '../../src/wizard/question.js'
import { relayQuestions } from '../../src/wizard/relay/questions.js'

const ALL: readonly (readonly [string, Question<string>])[] = [
  ...QUESTIONS.map((one) => ['pay', one] as const),
  ...nameauthQuestions({ dataDir: '/d', payUrl: 'http://127.0.0.1:8080' }).map((one) => ['nameauth', one] as const),
  ...relayQuestions({ dataDir: '/d', namesAt: undefined, proxy: undefined, isService: true }).map(
    (one) => ['relay', one] as const,
  ),
].map(([daemon, one]) => [daemon, one as unknown as Question<string>])

test.each(ALL.map(([daemon, one]) => [`${daemon} ${one.key}`, one] as const))(
  '%s: no brackets of its own',
  (_, one) => {
    expect(one.message).not.toMatch(/[()[\]]/)
  },
)

const YES_OR_NO = ALL.filter(([, one]) => one.message.endsWith(': yes or no'))

test('yes and no are the same words everywhere', () => {
  expect(YES_OR_NO.map(([daemon]) => daemon).sort()).toEqual(['nameauth', 'pay', 'relay'])
  for (const [, { tidy = String, refusal, patience }] of YES_OR_NO) {
    expect(['Y', 'on', '1', 'TRUE', 'yes'].map(tidy)).toEqual(Array(5).fill('yes'))
    expect(['n', 'Off', '0', 'false', 'no'].map(tidy)).toEqual(Array(5).fill('no'))
    expect([refusal('maybe'), patience]).toEqual(['must be yes or no', 5])
  }
})

test('what is typed hidden is judged as the setting is, without a word of it', () => {
  const hidden = ALL.flatMap(([, one]) => (one.hidden === undefined ? [] : [one]))
  expect(hidden).toHaveLength(2)
  for (const { hiddenRefusal } of hidden) {
    expect(hiddenRefusal?.('sesame')).toMatch(/^can be guessed: it must have at least 16 characters/)
    expect(hiddenRefusal?.('sesame-open-sesame')).toBeUndefined()
  }
})
