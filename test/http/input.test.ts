import { expect, test } from 'vitest'
import { bodyDigest, createInFlight, idempotencyKeyOf, readJson } from '../../src/http/index.js'

const digest = (text: string) => bodyDigest(readJson(new TextEncoder().encode(text)))

test.each(['a', '!~', 'x'.repeat(128)])('%.10j is a key', (key) => expect(idempotencyKeyOf(key)).toBe(key))
test.each(['', ' ', 'a b', 'x'.repeat(129), 'é', 'a\u007f', 'one, two'])('%.10j is refused', (key) => {
  expect(() => idempotencyKeyOf(key)).toThrow('1 to 128 visible ASCII')
})
test('no header is no key', () => expect(idempotencyKeyOf(undefined)).toBeUndefined())

test('the same request written differently has the same digest', () => {
  expect(digest('{"amount_grin":5, "memo":"é"}')).toBe(digest('{"memo":"\\u00e9","amount_grin":5}'))
  expect(digest('{"amount_grin":5}')).not.toBe(digest('{"amount_grin":6}'))
  expect(digest('{}')).toMatch(/^[0-9a-f]{64}$/)
})

test('while a key runs, a second request with it has to wait', async () => {
  const oneAtATime = createInFlight()
  let finish = (_value: string) => {}
  const first = oneAtATime('k', () => new Promise<string>((resolve) => (finish = resolve)))
  await expect(oneAtATime('k', async () => 'second')).rejects.toThrow('still running')
  await expect(oneAtATime('other', async () => 'fine')).resolves.toBe('fine')
  finish('done')
  await expect(first).resolves.toBe('done')
  await expect(oneAtATime('k', async () => 'again')).resolves.toBe('again')
})

test('a failure frees the key', async () => {
  const oneAtATime = createInFlight()
  await expect(oneAtATime('k', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await expect(oneAtATime('k', async () => 'fine')).resolves.toBe('fine')
})
