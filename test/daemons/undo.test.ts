import { expect, test } from 'vitest'
import { createUndo } from '../../src/daemons/parts/undo.js'

function recorded(...failing: string[]) {
  const done: string[] = []
  const undo = createUndo()
  for (const name of ['folder', 'node', 'till'])
    undo.add(async () => {
      done.push(name)
      if (failing.includes(name)) throw new Error(`${name} stuck`)
    })
  return { undo, done }
}

test('what was opened last is closed first, and only once', async () => {
  const { undo, done } = recorded()
  await Promise.all([undo.all(), undo.all()])
  expect(done).toEqual(['till', 'node', 'folder'])
})

test('a step that fails is reported, and the others are done', async () => {
  const { undo, done } = recorded('till')
  await expect(undo.all()).rejects.toThrow('till stuck')
  expect(done).toEqual(['till', 'node', 'folder'])
})
