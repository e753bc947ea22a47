import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatMetrics, type MetricFamily } from '../../src/http/index.js'

const family = (over: Partial<MetricFamily>): MetricFamily => ({
  name: 'grinpay_x',
  type: 'gauge',
  help: 'About it.',
  samples: [{ value: 1 }],
  ...over,
})

test('a family is its help, its type and its samples', () => {
  const samples = [{ labels: { relay: 'wss://a', state: 'up' }, value: 2.5 }, { value: 2n ** 64n }, { value: true }]
  expect(formatMetrics([family({ type: 'counter', samples })])).toBe(
    [
      '# HELP grinpay_x About it.',
      '# TYPE grinpay_x counter',
      'grinpay_x{relay="wss://a",state="up"} 2.5',
      'grinpay_x 18446744073709551616',
      'grinpay_x 1',
      '',
    ].join('\n'),
  )
})

test('what is not known is left out, and so is a family of which nothing is', () => {
  expect(formatMetrics([family({ samples: [{ value: null }] }), family({ samples: [] })])).toBe('')
  expect(formatMetrics([family({ samples: [{ value: null }, { value: 7 }] })])).toContain('\ngrinpay_x 7\n')
})

test.each([
  [Number.POSITIVE_INFINITY, '+Inf'],
  [Number.NEGATIVE_INFINITY, '-Inf'],
  [Number.NaN, 'NaN'],
  [1e21, '1e+21'],
])('%d is written as the format wants it', (value, text) => {
  expect(formatMetrics([family({ samples: [{ value }] })])).toContain(`\ngrinpay_x ${text}\n`)
})

/** What a reader of the format makes of a label value. */
const unescaped = (text: string): string =>
  text.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character))

test('any text in a label stays on its line and is read back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const page = formatMetrics([family({ samples: [{ labels: { relay: text }, value: 1 }] })])
      const line = page.split('\n')[2] ?? ''
      expect(page.split('\n')).toHaveLength(4)
      expect(unescaped(line.slice('grinpay_x{relay="'.length, -'"} 1'.length))).toBe(text)
    }),
  )
})
