// What an operator may type for addresses and currencies. Vectors: test/vectors/pay/setup.json.
import { expect, test } from 'vitest'
import { loadPayConfig, openEnvironment } from '../../src/config/index.js'
import { openViews } from '../../src/http/index.js'
import { createSite } from '../../src/till/pages/site.js'
import { createFakeTill } from '../support/fake-till.js'
import { vectors } from '../support/vectors.js'

const { base_path, normalize_url, currencies } = vectors('pay/setup.json')

const load = (variables: Record<string, string>) => loadPayConfig(openEnvironment({ variables }))

test.each<[string, string]>(base_path)('a till at %s has its pages below "%s"', (address, mount) => {
  const { settings } = createFakeTill({ publicUrl: load({ PAY_PUBLIC_URL: address }).publicUrl })
  expect(createSite(settings, openViews(), { frameAncestors: [], shop: {} }).mount).toBe(mount)
})

test.each<[string, string]>(normalize_url.ok)('the address "%s" is kept as %s', (typed, kept) => {
  expect(load({ PAY_PUBLIC_URL: typed }).publicUrl).toBe(kept)
})

test.each(['pay.shop.com', 'ftp://x'])('"%s" is no address', (typed) => {
  expect(normalize_url.bad).toContain(typed)
  expect(() => load({ PAY_PUBLIC_URL: typed })).toThrow('PAY_PUBLIC_URL must begin with http:// or https://')
})

test.each<[string, string[]]>(currencies)('the currencies "%s" are %j', (typed, known) => {
  expect(load({ PAY_RATE_CURRENCIES: typed }).currencies).toEqual(known)
})
