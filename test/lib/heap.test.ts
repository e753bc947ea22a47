import { expect, test } from 'vitest'
import { collectGarbage } from '../../src/lib/heap.js'

test('what nothing refers to is gone, and no door to the collector stays open', () => {
  const gone = new WeakRef(new Array(1000).fill('x'))
  return new Promise<void>((resolve) => {
    // A weak reference holds until the end of the turn that made it.
    setImmediate(() => {
      collectGarbage()
      expect(gone.deref()).toBeUndefined()
      expect('gc' in globalThis).toBe(false)
      resolve()
    })
  })
})
