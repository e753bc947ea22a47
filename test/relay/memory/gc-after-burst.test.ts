import { expect, test } from 'vitest'
import { createGcAfterBurst } from '../../../src/relay/memory/heap-guard.js'

function tidying() {
  let collected = 0
  const tick = createGcAfterBurst(() => {
    collected++
  })
  return {
    collected: () => collected,
    seconds(count: number, connected: number, messages = 0) {
      for (let second = 0; second < count; second++) tick({ connected, messages })
    },
  }
}

test('after a burst of connections memory is tidied once, when it is quiet', () => {
  const { seconds, collected } = tidying()
  seconds(15, 1000)
  expect(collected()).toBe(0)
  seconds(1, 1000)
  expect(collected()).toBe(1)
  seconds(100, 1000)
  expect(collected()).toBe(1)
})

test('a few connections are not worth it', () => {
  const { seconds, collected } = tidying()
  seconds(100, 999)
  expect(collected()).toBe(0)
})

test('while there is much to do nothing is tidied', () => {
  const { seconds, collected } = tidying()
  for (let second = 0; second < 100; second++) seconds(1, 5000, second * 21)
  expect(collected()).toBe(0)
  seconds(15, 5000, 99 * 21)
  expect(collected()).toBe(1)
})
