import { expect, test } from 'vitest'
import { createFrameQueue } from '../../../src/nostr/relays/frame-queue.js'
import { createFakeClock, settled } from '../../support/fake-clock.js'

function anIntake(handle: (frame: string) => boolean) {
  const clock = createFakeClock()
  const state: string[] = []
  const failures: unknown[] = []
  const intake = createFrameQueue({
    clock,
    signal: new AbortController().signal,
    handle,
    pause: () => state.push('pause'),
    resume: () => state.push('resume'),
    failed: (thrown) => failures.push(thrown),
  })
  return { clock, state, failures, intake }
}

const frames = (count: number) => Array.from({ length: count }, (_, n) => String(n))

test('frames that come before the start wait for it, in order', () => {
  const got: string[] = []
  const { intake } = anIntake((frame) => got.push(frame) > 0)
  frames(3).forEach(intake.push)
  expect(got).toEqual([])
  intake.start()
  intake.push('3')
  expect(got).toEqual(frames(4))
})

test('a pile is handled in batches with a breath between, and not read on meanwhile', async () => {
  const got: string[] = []
  const { intake, state } = anIntake((frame) => got.push(frame) > 0)
  frames(200).forEach(intake.push)
  intake.start()
  expect([got.length, intake.paused()]).toEqual([32, true])
  for (let n = 0; n < 10; n++) await settled()
  expect(got).toEqual(frames(200))
  expect(state).toEqual(['pause', 'resume'])
})

test('no more than two thousand frames a second', async () => {
  let count = 0
  const { intake, clock } = anIntake(() => ++count > 0)
  frames(5000).forEach(intake.push)
  intake.start()
  for (let n = 0; n < 300; n++) await settled()
  expect(count).toBe(2016)
  await clock.advance(1000)
  for (let n = 0; n < 300; n++) await settled()
  expect(count).toBe(4032)
})

test('nor when they come one after the other', async () => {
  let count = 0
  const { intake, clock } = anIntake(() => ++count > 0)
  intake.start()
  frames(5000).forEach(intake.push)
  expect([count, intake.paused()]).toEqual([2000, true])
  await clock.advance(1000)
  for (let n = 0; n < 300; n++) await settled()
  expect(count).toBeGreaterThan(3900)
  expect(count).toBeLessThan(4100)
})

test('nor more than eight million characters', async () => {
  let count = 0
  const { intake } = anIntake(() => ++count > 0)
  intake.start()
  for (let n = 0; n < 100; n++) intake.push('x'.repeat(200_000))
  for (let n = 0; n < 10; n++) await settled()
  expect(count).toBe(42)
})

test('what finds no room is offered again, and nothing overtakes it', async () => {
  const got: string[] = []
  let room = false
  const { intake, clock, state } = anIntake((frame) => room && got.push(frame) > 0)
  intake.start()
  frames(3).forEach(intake.push)
  expect(state).toEqual(['pause'])
  await clock.advance(50)
  room = true
  await clock.advance(50)
  expect([got, state]).toEqual([frames(3), ['pause', 'resume']])
})

test('a frame that breaks us is dropped', () => {
  const defect = new Error('ours')
  const got: string[] = []
  const { intake, failures } = anIntake((frame) => {
    if (frame === '1') throw defect
    return got.push(frame) > 0
  })
  intake.start()
  frames(3).forEach(intake.push)
  expect([got, failures]).toEqual([['0', '2'], [defect]])
})
