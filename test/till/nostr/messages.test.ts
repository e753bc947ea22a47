import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readMessage, replyContent } from '../../../src/till/nostr/messages.js'

const ARMOR = 'BEGINSLATEPACK. abc DEF 123. ENDSLATEPACK.'
const SLATE_ID = '0436430c-2b02-624c-2032-570501212b00'

const rumor = (content: string, tags: readonly (readonly string[])[] = [], kind = 14) => ({ content, tags, kind })
const smirk = (over: object = {}) =>
  JSON.stringify({
    type: 'grin-slatepack',
    v: 1,
    role: 'offer',
    slateId: SLATE_ID,
    slatepack: ARMOR,
    amount: '2',
    memo: 'coffee',
    ...over,
  })

describe('a payment', () => {
  test('is the armor, whatever stands around it', () => {
    const content = `[Goblin] GRIN payment message — open in Goblin (https://goblin.st) to process.\n\n${ARMOR}\nbye`
    expect(readMessage(rumor(content, [['goblin', '1']]))).toEqual({
      kind: 'slatepack',
      armor: ARMOR,
      layout: 'plain',
      subject: null,
    })
    expect(readMessage(rumor(ARMOR))).toMatchObject({ armor: ARMOR })
  })

  test.each([
    ['after it', `${ARMOR} BEGINSLATEPACK. and no more`],
    ['before it', `BEGINSLATEPACK. ${ARMOR}`],
  ])('a stray second begin %s is tolerated', (_, content) => {
    expect(readMessage(rumor(content))).toMatchObject({ kind: 'slatepack', armor: ARMOR })
  })

  test('two of them are refused', () => {
    const message = readMessage(rumor(`${ARMOR}\n${ARMOR}`))
    expect(message).toMatchObject({ kind: 'refused', error: { code: 'SLATEPACK_TWO' } })
  })

  test('has the note of its first subject tag, cleaned', () => {
    const tags = [
      ['subject', ` order\u202e 42\n${'x'.repeat(300)}`],
      ['subject', 'other'],
    ]
    const message = readMessage(rumor(ARMOR, tags))
    expect(message).toMatchObject({ subject: `order 42 ${'x'.repeat(247)}` })
    expect(readMessage(rumor(ARMOR, [['subject', ' \n ']]))).toMatchObject({ subject: null })
    expect(readMessage(rumor(ARMOR, [['subject']]))).toMatchObject({ subject: null })
  })

  test('as a JSON object is answered in kind', () => {
    expect(readMessage(rumor(` ${smirk()}`, [['goblin', '1']]))).toEqual({
      kind: 'slatepack',
      armor: ARMOR,
      layout: 'json',
      subject: 'coffee',
    })
    expect(readMessage(rumor(smirk({ memo: 7 }), [['subject', 'tea']]))).toMatchObject({ subject: 'tea' })
  })

  test.each([
    ['another type', { type: 'chat' }],
    ['no slatepack', { slatepack: 7 }],
  ])('JSON of %s is read as text', (_, over) => {
    const message = readMessage(rumor(smirk(over)))
    expect(message.kind === 'slatepack' ? message.layout : message.kind).not.toBe('json')
  })

  test('no JSON makes the reader fall over', () => {
    fc.assert(
      fc.property(fc.json(), fc.string(), (json, tail) => {
        readMessage(rumor(json))
        readMessage(rumor(`{${tail}`))
      }),
    )
  })
})

test('a payer takes a payment back', () => {
  expect(readMessage(rumor('', [['goblin-action', 'void', SLATE_ID]]))).toEqual({ kind: 'void', slateId: SLATE_ID })
  expect(readMessage(rumor('', [['goblin-action', 'void', 'all of them']]))).toEqual({ kind: 'other' })
  expect(readMessage(rumor('', [['goblin-action', 'pay', SLATE_ID]]))).toEqual({ kind: 'other' })
})

test.each([
  ['small talk', rumor('hello')],
  ['a slatepack without an end', rumor('BEGINSLATEPACK. abc DEF')],
  ['another kind', rumor(ARMOR, [], 15)],
  ['more than 32 768 bytes', rumor(`${ARMOR}${'é'.repeat(16_400)}`)],
])('%s is nothing for a till', (_, message) => {
  expect(readMessage(message)).toEqual({ kind: 'other' })
})

describe('a reply', () => {
  test('has the preamble of the Goblin wallet, a blank line and the armor', () => {
    expect(replyContent('plain', { armor: `${ARMOR}\n`, slateId: SLATE_ID })).toBe(
      `[Goblin] GRIN payment message \u2014 open in Goblin (https://goblin.st) to process.\n\n${ARMOR}`,
    )
  })

  test('to a JSON message is the same object with the role of a response', () => {
    expect(JSON.parse(replyContent('json', { armor: ARMOR, slateId: SLATE_ID }))).toEqual({
      type: 'grin-slatepack',
      v: 1,
      role: 'response',
      slateId: SLATE_ID,
      slatepack: ARMOR,
    })
  })

  test('in either layout holds its armor where a reader finds it', () => {
    expect(readMessage(rumor(replyContent('plain', { armor: ARMOR, slateId: SLATE_ID })))).toMatchObject({
      armor: ARMOR,
    })
    expect(readMessage(rumor(replyContent('json', { armor: ARMOR, slateId: SLATE_ID })))).toMatchObject({
      armor: ARMOR,
    })
  })
})
