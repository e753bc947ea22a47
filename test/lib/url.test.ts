import { expect, test } from 'vitest'
import { parseUrl } from '../../src/lib/url.js'

test('an address with letters beyond ASCII is parsed however often it is asked for', () => {
  let refused = 0
  for (let round = 0; round < 20_000; round++) if (parseUrl('https://bücher.example/') === undefined) refused += 1
  expect(refused).toBe(0)
  expect(parseUrl('https://bücher.example/')?.hostname).toBe('xn--bcher-kva.example')
})

test('what is no address is undefined, never an error', () => {
  for (const text of ['', 'bücher', 'https://', 'https://[', 'http://a b/']) expect(parseUrl(text)).toBeUndefined()
})
