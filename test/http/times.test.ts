import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addTime, dropUntil, noTimes, oldestOf } from '../../src/http/times.js'

test('a ring of times is a list that is added to at the end and cut at the beginning', () => {
  const step = fc.oneof(fc.record({ add: fc.nat(5) }), fc.record({ drop: fc.nat(9) }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const times = noTimes()
      let list: number[] = []
      let now = 0
      for (const one of steps) {
        if ('add' in one) {
          now += one.add
          addTime(times, now)
          list.push(now)
        } else {
          dropUntil(times, now - one.drop)
          list = list.filter((time) => time > now - one.drop)
        }
        expect([times.count, oldestOf(times)]).toEqual([list.length, list[0]])
      }
    }),
  )
})
