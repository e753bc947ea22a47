// Whatever stands in a variable or an env file, a setting is a value or a problem in words, and a secret is never quoted.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Environment, openEnvironment, readNameauthValues, readPayValues } from '../../src/config/index.js'
import { NAMEAUTH_SETTINGS } from '../../src/config/nameauth-settings.js'
import { PAY_SETTINGS } from '../../src/config/pay-settings.js'

const ALL = [...Object.values(PAY_SETTINGS), ...Object.values(NAMEAUTH_SETTINGS)]
const NAMES = ALL.map(({ name }) => name)
const SECRETS = ALL.flatMap(({ name, secret }) => (secret ? [name] : []))
const readAll = (environment: Environment) => {
  const [till, names] = [readPayValues(environment), readNameauthValues(environment)]
  return { problems: [...till.problems, ...names.problems], notices: [...till.notices, ...names.notices] }
}
const values = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.webUrl(),
  fc.ipV4(),
  fc
    .array(
      fc.constantFrom(
        'on',
        'off',
        ',',
        '=',
        ':',
        '/',
        '//',
        'http',
        'usd',
        '1e9',
        '-1',
        '%',
        '[',
        ']',
        '@',
        '\0',
        ' ',
        '\n',
        'fixed:',
        '٣',
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join('')),
)

test('any texts in any settings are values or problems', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...NAMES), values), (variables) => {
      const { problems } = readAll(openEnvironment({ variables }))
      expect(problems.every(({ setting, text }) => setting !== '' && text.length > 0)).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

test('no problem and no notice quotes a secret', () => {
  const secret = fc.stringMatching(/^[!-~]{12,60}$/)
  fc.assert(
    fc.property(fc.constantFrom(...SECRETS), secret, (name, value) => {
      const { problems, notices } = readAll(openEnvironment({ variables: { [name]: value } }))
      expect([...problems, ...notices].filter(({ text }) => text.includes(value))).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test('any text is an env file', () => {
  const lines = fc.array(
    fc.oneof(
      fc.string(),
      fc.tuple(fc.constantFrom(...NAMES, '__proto__', 'export PAY_BIND'), values).map((pair) => pair.join('=')),
    ),
    { maxLength: 6 },
  )
  fc.assert(
    fc.property(lines, (text) => {
      const environment = openEnvironment({
        envFile: '/x/pay.env',
        variables: {},
        readFile: () => text.join('\n'),
      })
      readAll(environment)
    }),
  )
})
