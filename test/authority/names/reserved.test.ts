// Names that no key may claim. Vectors: test/vectors/names/reserved.json and reservation.json.
import { expect, test } from 'vitest'
import { BUILT_IN, createReservedCheck, domainLabels, shapeOf } from '../../../src/authority/names/rules.js'
import { vectors } from '../../support/vectors.js'

const { builtin } = vectors('names/reserved.json')
const { domain_labels: labels, cases } = vectors('names/reservation.json')

test('the built-in list is the published one, in its order', () => expect(BUILT_IN).toEqual(builtin))

test.each<{ domain: string; labels: string[] }>(labels)('"$domain" reserves $labels', (vector) => {
  expect(domainLabels(vector.domain)).toEqual(vector.labels)
})

test.each<{ domain: string; extra: string[]; name: string; grinpay: boolean }>(cases)(
  '$name at $domain is reserved: $grinpay',
  ({ domain, extra, name, grinpay }) => {
    expect(createReservedCheck({ domain, extra })(shapeOf(name)) !== undefined).toBe(grinpay)
  },
)

test('the answer says which word of which list it is', () => {
  const check = createReservedCheck({ domain: 'acme.example', extra: ['MyBrand'] })
  const found = (name: string) => check(shapeOf(name))
  expect(found('wa11et')).toEqual({ word: 'wallet', list: 'built-in' })
  expect(found('acm3')).toEqual({ word: 'acme', list: 'domain' })
  expect(found('my-br4nd')).toEqual({ word: 'mybrand', list: 'operator' })
  expect(found('wallets')).toBeUndefined()
})
