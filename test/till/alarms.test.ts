// Two instances and the bell between them, with a clock that the test moves.
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Alarms,
  alarmTexts,
  createAlarms,
  REPEAT_ALARMS_MS,
  type SharedAlarms,
  shareAlarms,
} from '../../src/till/alarms.js'
import type { Bell } from '../../src/till/parts.js'

let now: number
let isCut: boolean
let bell: Bell
let rings: string[]
let own: readonly [Alarms, Alarms]
let first: SharedAlarms
let second: SharedAlarms

beforeEach(() => {
  now = 1_000_000
  isCut = false
  rings = []
  const listeners: ((topic: string | undefined) => void)[] = []
  bell = {
    ring(topic) {
      if (isCut) return
      rings.push(topic)
      for (const heard of listeners) heard(topic)
    },
    listen(heard) {
      listeners.push(heard)
      return () => undefined
    },
  }
  own = [createAlarms(), createAlarms()]
  first = shareAlarms(own[0], bell, () => now)
  second = shareAlarms(own[1], bell, () => now)
})

const shown = () => [alarmTexts(first), alarmTexts(second)]

describe('alarms of two instances', () => {
  test('each shows what one of them has raised, once', () => {
    expect(first.raise('payment 1', 'its kernel is gone')).toBe(true)
    expect(shown()).toEqual([['payment 1: its kernel is gone'], ['payment 1: its kernel is gone']])
    // The next look is the other one's: nothing new for the log.
    expect(second.raise('payment 1', 'its kernel is gone')).toBe(false)
    expect(second.raise('payment 1', 'another text')).toBe(true)
    expect(alarmTexts(second)).toEqual(['payment 1: another text'])
  })

  test('the one that finds the cause gone ends what the other one has raised', () => {
    first.raise('payment 1', 'its kernel is gone')
    expect(second.clear('payment 1')).toBe(true)
    expect(second.clear('payment 1')).toBe(false)
    expect(shown()).toEqual([[], []])
    expect(own[0].entries().size).toBe(0)
  })

  test('clearing what was never raised rings no bell', () => {
    expect(first.clear('payment 1')).toBe(false)
    expect(rings).toEqual([])
  })

  test('those of an instance that died go away, those that are repeated stay', () => {
    first.raise('payment 1', 'its kernel is gone')
    second.raise('payment 2', 'paid twice')
    for (let pass = 0; pass < 4; pass++) {
      now += REPEAT_ALARMS_MS
      second.repeat()
    }
    expect(alarmTexts(second)).toEqual(['payment 2: paid twice'])
    expect(alarmTexts(first)).toEqual(['payment 2: paid twice', 'payment 1: its kernel is gone'])
  })

  test('a clock that goes back an hour keeps none for an hour', () => {
    first.raise('payment 1', 'its kernel is gone')
    now -= 3_600_000
    expect(alarmTexts(second)).toEqual([])
    first.repeat()
    expect(alarmTexts(second)).toEqual(['payment 1: its kernel is gone'])
  })

  test('a lost message is made good by the next repetition', () => {
    isCut = true
    first.raise('payment 1', 'its kernel is gone')
    expect(alarmTexts(second)).toEqual([])
    isCut = false
    first.repeat()
    expect(alarmTexts(second)).toEqual(['payment 1: its kernel is gone'])
  })

  test('a message is short, has no line break, and a foreign one is nothing', () => {
    first.raise('payment 1', `the node says:\n${'x'.repeat(10_000)}`)
    expect(rings[0]).not.toContain('\n')
    expect(rings[0]?.length).toBeLessThan(500)
    const before = shown()
    for (const odd of ['alarm:', 'alarm:[1,2]', 'alarm:["payment 3"]', 'alarm:{', 'invoice:1']) bell.ring(odd)
    expect(shown()).toEqual(before)
  })
})
