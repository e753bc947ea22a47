import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ChurnMap } from '../../../src/relay/collections/churn-map.js'

const step = fc.record({ key: fc.integer({ min: 0, max: 9 }), isSet: fc.boolean(), value: fc.nat() })

test('a map for what comes and goes is a map', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400, size: 'max' }), (steps) => {
      const [ours, theirs] = [new ChurnMap<number, number>(), new Map<number, number>()]
      for (const { key, isSet, value } of steps) {
        if (isSet) {
          ours.set(key, value)
          theirs.set(key, value)
        } else expect(ours.delete(key)).toBe(theirs.delete(key))
        expect(ours.get(key)).toBe(theirs.get(key))
        expect(ours.first()).toEqual([...theirs][0])
      }
      expect([ours.size, [...ours.keys()], [...ours.values()]]).toEqual([
        theirs.size,
        [...theirs.keys()],
        [...theirs.values()],
      ])
      ours.clear()
      expect([ours.size, ours.first()]).toEqual([0, undefined])
    }),
  )
})
