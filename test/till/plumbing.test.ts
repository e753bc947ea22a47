// The small parts that everything else stands on: locks, lanes, announcements, loops.
import { describe, expect, test } from 'vitest'
import { alarmTexts, createAlarms } from '../../src/till/alarms.js'
import { createDispatcher } from '../../src/till/dispatcher.js'
import { tillLoops } from '../../src/till/index.js'
import { createChanges } from '../../src/till/invoices/waiting.js'
import { createLock } from '../../src/till/locks.js'
import { settled } from '../support/fake-clock.js'
import { openTill } from '../support/till-parts.js'

describe('a lock', () => {
  test('runs one key’s work in order and other keys beside it', async () => {
    const lock = createLock()
    const steps: string[] = []
    const work = (name: string, waits: number) => async () => {
      steps.push(`${name} begins`)
      for (let i = 0; i < waits; i += 1) await settled()
      steps.push(`${name} ends`)
    }
    await Promise.all([lock('a', work('a1', 3)), lock('a', work('a2', 0)), lock('b', work('b1', 0))])
    expect(steps).toEqual(['a1 begins', 'b1 begins', 'b1 ends', 'a1 ends', 'a2 begins', 'a2 ends'])
  })

  test('failed work fails its caller only', async () => {
    const lock = createLock()
    const first = lock('a', () => Promise.reject(new Error('broken')))
    const second = lock('a', async () => 'fine')
    await expect(first).rejects.toThrow('broken')
    expect(await second).toBe('fine')
  })
})

describe('lanes', () => {
  test('a failure ends the pass after what runs has ended; the next pass starts clean', async () => {
    const waiting = ['bad', 'slow', 'never']
    const ended: string[] = []
    const drain = createDispatcher<string>({
      width: 2,
      due: async (limit) => waiting.splice(0, limit),
      run: async (item) => {
        if (item === 'bad') throw new Error('broken')
        await settled()
        ended.push(item)
      },
    })
    await expect(drain()).rejects.toThrow('broken')
    expect(ended).toEqual(['slow'])
    await drain()
    expect(ended).toEqual(['slow', 'never'])
  })
})

describe('announcements', () => {
  test('reach those who listen to this invoice, until they stop', () => {
    const changes = createChanges()
    const heard: string[] = []
    const stop = changes.listen('a', () => heard.push('first'))
    changes.listen('a', () => heard.push('second'))
    changes.announce('a')
    changes.announce('b')
    stop?.()
    stop?.()
    changes.announce('a')
    expect(heard).toEqual(['first', 'second', 'second'])
  })

  test('are bounded, and a place is free again after stopping', () => {
    const changes = createChanges(1)
    const stop = changes.listen('a', () => undefined)
    expect(changes.listen('b', () => undefined)).toBeUndefined()
    stop?.()
    expect(changes.listen('b', () => undefined)).toBeDefined()
  })
})

test('alarms are reported once and can end', () => {
  const alarms = createAlarms()
  expect(alarms.raise('payment 1', 'gone')).toBe(true)
  expect(alarms.raise('payment 1', 'gone')).toBe(false)
  expect(alarmTexts(alarms)).toEqual(['payment 1: gone'])
  expect(alarms.clear('payment 1')).toBe(true)
  expect(alarms.clear('payment 1')).toBe(false)
  expect(alarmTexts(alarms)).toEqual([])
})

test('every pass has its loop', async () => {
  const { till } = openTill()
  const loops = tillLoops(till)
  expect(loops.map(({ name, everyMs }) => [name, everyMs / 1000])).toEqual([
    ['expire invoices', 30],
    ['issue invoice slates', 1],
    ['confirm payments', 30],
    ['look for young payments', 2],
    ['push transactions', 30],
    ['deliver webhooks', 10],
    ['rotate receiving keys', 30],
  ])
  for (const { pass } of loops) await pass()
  expect(tillLoops(till, 0.5).find(({ name }) => name === 'confirm payments')?.everyMs).toBe(500)
})
