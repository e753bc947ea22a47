import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFairQueue, type Flow } from '../../../src/relay/collections/fair-queue.js'

interface Asker extends Flow {
  readonly name: string
}
const anAsker = (name: string): Asker => ({ name, served: 0 })

/** Who is served, in order, when each asks again as soon as it was; `cost` in milliseconds. */
function shares(costs: Readonly<Record<string, number>>, services: number): Readonly<Record<string, number>> {
  const line = createFairQueue<Asker>()
  for (const [name, cost] of Object.entries(costs)) line.push(anAsker(name), cost)
  const time: Record<string, number> = {}
  for (let count = 0; count < services; count += 1) {
    const one = line.shift()
    if (!one) break
    const cost = costs[one.name] ?? 0
    line.charge(one, cost)
    time[one.name] = (time[one.name] ?? 0) + cost
    line.push(one, cost)
  }
  return time
}

test('connections that ask without end have the same time, whatever one question of theirs costs', () => {
  const time = shares({ little: 1, much: 10, more: 25 }, 2000)
  const most = Math.max(...Object.values(time))
  for (const each of Object.values(time)) expect(each / most).toBeGreaterThan(0.95)
})

test('of what waits the cheapest is first, and of equals the first', () => {
  const line = createFairQueue<Asker>()
  for (const [name, cost] of [
    ['a', 3],
    ['b', 1],
    ['c', 2],
    ['d', 1],
  ] as const)
    line.push(anAsker(name), cost)
  expect(Array.from({ length: 5 }, () => line.shift()?.name)).toEqual(['b', 'd', 'c', 'a', undefined])
})

test('what was not there has no claim to the time before', () => {
  const line = createFairQueue<Asker>()
  const busy = anAsker('busy')
  for (let count = 0; count < 100; count += 1) {
    line.push(busy, 1)
    line.shift()
    line.charge(busy, 1)
  }
  const late = anAsker('late')
  const served: string[] = []
  line.push(late, 1)
  line.push(busy, 1)
  for (let count = 0; count < 10; count += 1) {
    const one = line.shift()
    if (!one) break
    served.push(one.name)
    line.charge(one, 1)
    line.push(one, 1)
  }
  expect(served.filter((name) => name === 'late')).toHaveLength(5)
})

test('everybody who stands in line is served once, in the order of a sort', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 200 }), (costs) => {
      const line = createFairQueue<Asker>()
      for (const [at, cost] of costs.entries()) line.push(anAsker(String(at)), cost)
      const order: number[] = []
      for (let one = line.shift(); one; one = line.shift()) order.push(Number(one.name))
      const sorted = costs.map((cost, at) => ({ cost, at })).sort((a, b) => a.cost - b.cost || a.at - b.at)
      expect(order).toEqual(sorted.map(({ at }) => at))
    }),
  )
})
