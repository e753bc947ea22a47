import { describe, expect, test } from 'vitest'
import { createProgress, noProgress, openProgress } from '../../src/cli/progress.js'
import { createFakeClock, settled } from '../support/fake-clock.js'

function watched(width = 40) {
  const clock = createFakeClock()
  let written = ''
  const progress = createProgress({ write: (text) => (written += text), clock, width })
  /** What stands in the line now. */
  const line = (): string => written.slice(written.lastIndexOf('\u001b[K') + 3)
  return { clock, progress, line, written: () => written }
}

function pending<T>() {
  let end: (value: T) => void = () => undefined
  const promise = new Promise<T>((resolve) => {
    end = resolve
  })
  return { promise, end }
}

describe('the line of a command that works', () => {
  test('what takes less than 400 ms shows nothing', async () => {
    const { clock, progress, written } = watched()
    const { promise, end } = pending<number>()
    const done = progress.during('asking the till', () => promise)
    await clock.advance(399)
    end(7)
    expect(await done).toBe(7)
    expect(written()).toBe('')
    await settled()
    expect(clock.sleepers()).toBe(0)
  })

  test('then it turns, tells how far it is, and is gone in the end', async () => {
    const { clock, progress, line, written } = watched()
    const { promise, end } = pending<void>()
    const done = progress.during('reading', async (tell) => {
      tell('3 lines')
      await promise
    })
    await clock.advance(400)
    expect(line()).toBe('| 3 lines')
    await clock.advance(100)
    expect(line()).toBe('/ 3 lines')
    end()
    await done
    expect(line()).toBe('')
    const before = written()
    await clock.advance(1000)
    expect(written()).toBe(before)
  })

  test('other words take its place, and it comes back below them', async () => {
    const { clock, progress, line } = watched()
    const { promise, end } = pending<void>()
    const done = progress.during('looking', () => promise)
    await clock.advance(400)
    progress.clear()
    expect(line()).toBe('')
    await clock.advance(100)
    expect(line()).toBe('/ looking')
    end()
    await done
  })

  test('the innermost work is shown, and the outer one again after it', async () => {
    const { clock, progress, line } = watched()
    const [outer, inner] = [pending<void>(), pending<void>()]
    const done = progress.during('waiting until it is paid', async () => {
      await progress.during('asking the till', () => inner.promise)
      await outer.promise
    })
    await clock.advance(400)
    expect(line()).toBe('| asking the till')
    inner.end()
    await settled()
    await clock.advance(100)
    expect(line()).toBe('/ waiting until it is paid')
    outer.end()
    await done
  })

  test('is never as wide as the terminal', async () => {
    const { clock, progress, line } = watched(12)
    const { promise, end } = pending<void>()
    const done = progress.during('a very long story', () => promise)
    await clock.advance(400)
    expect(line()).toBe('| a very lo')
    end()
    await done
  })

  test('a failure passes through, and the line is gone', async () => {
    const { clock, progress, line } = watched()
    const { promise, end } = pending<void>()
    const done = progress.during('asking', () => promise.then(() => Promise.reject(new Error('no'))))
    await clock.advance(500)
    end()
    await expect(done).rejects.toThrow('no')
    expect(line()).toBe('')
  })
})

describe('who gets one', () => {
  const terminal = { stdin: { isTTY: true }, stdout: { isTTY: true, columns: 80 }, stderr: { isTTY: true } }
  const pipe = {}

  test.each([
    ['a user who wants a document or an id only', false, terminal],
    ['a program that reads stdout', true, { ...terminal, stdout: pipe }],
    ['a log file on stderr', true, { ...terminal, stderr: pipe }],
  ])('not %s', async (_, isWanted, ends) => expect(await openProgress(isWanted, ends)).toBe(noProgress))
})
