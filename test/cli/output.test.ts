import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Column, facts, table } from '../../src/cli/index.js'
import { csvLine } from '../../src/lib/csv.js'
import { nearest } from '../../src/lib/nearest.js'

interface Row {
  readonly id: string
  readonly text: string | null
}
const COLUMNS: readonly Column<Row>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'TEXT', value: ({ text }) => text, shrinks: true },
]
const rows: readonly Row[] = [
  { id: 'aaaa', text: 'short' },
  { id: 'bb', text: 'a text that is a good deal longer than the terminal is wide' },
]

describe('table', () => {
  test('a terminal gets a head and aligned columns, cut to its width', () => {
    const lines = table(rows, COLUMNS, 30).split('\n')
    expect(lines[0]).toBe('ID    TEXT')
    expect(lines[1]).toBe('aaaa  short')
    expect(lines[2]).toMatch(/^bb {4}a text that.*…$/)
    expect(lines[2]).toHaveLength(30)
  })

  test('where not even the columns that may not shrink have room, each row is a paragraph', () => {
    const [wide, empty] = [
      { id: 'a'.repeat(20), text: 'short' },
      { id: 'cc', text: null },
    ]
    expect(table([wide, empty], COLUMNS, 27).split('\n')).toHaveLength(3)
    expect(table([wide, empty], COLUMNS, 26)).toBe(`ID    ${'a'.repeat(20)}\nTEXT  short\n\nID  cc`)
  })

  test('spare columns go first, the highest of them before the others, and only as many as must', () => {
    const columns: readonly Column<Row>[] = [
      { title: 'ID', value: ({ id }) => id },
      { title: 'ONE', value: () => 'o'.repeat(10), spare: 1 },
      { title: 'TWO', value: () => 't'.repeat(10), spare: 2 },
    ]
    const head = (width: number) => table(rows.slice(0, 1), columns, width).split('\n')[0]?.split(/ +/)
    expect([28, 27, 16, 15, 4].map(head)).toEqual([['ID', 'ONE', 'TWO'], ['ID', 'ONE'], ['ID', 'ONE'], ['ID'], ['ID']])
  })

  test('no line is wider than the terminal, but for a word that is', () => {
    const text = fc.string({ unit: 'grapheme-ascii', maxLength: 40 })
    const row = fc.record({ id: text, text: fc.option(text) })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), fc.integer({ min: 12, max: 60 }), (list, width) =>
        table(list, COLUMNS, width)
          .split('\n')
          .every((line) => line.length <= width || !/\S +\S/.test(line.trim()) || /^(ID|TEXT) +\S+$/.test(line)),
      ),
    )
  })

  test('a column that shrinks first leaves the others their room', () => {
    const columns: readonly Column<Row>[] = [
      { title: 'ID', value: ({ id }) => id.repeat(5), shrinks: 'first' },
      { title: 'TEXT', value: ({ text }) => text, shrinks: true },
    ]
    const row = { id: 'aaaa', text: 'sixteen letters.' }
    expect(table([row], columns, 30).split('\n')[1]).toBe(`${'a'.repeat(11)}…  sixteen letters.`)
    expect(table([row], columns, 20).split('\n')[1]).toBe(`${'a'.repeat(7)}…  sixteen l…`)
  })

  test('a program gets tabs, no head and every character', () => {
    expect(table(rows, COLUMNS, undefined)).toBe(rows.map(({ id, text }) => `${id}\t${text}`).join('\n'))
  })

  test('no text can break a line or a column', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ id: fc.string(), text: fc.option(fc.string({ unit: 'binary' })) })), (list) => {
        const text = table(list, COLUMNS, undefined)
        const lines = list.length === 0 ? [] : text.split('\n')
        return lines.length === list.length && lines.every((line) => line.split('\t').length === 2)
      }),
    )
  })

  test('nothing is printed for no rows on a terminal', () => expect(table([], COLUMNS, 80)).toBe(''))
})

test('facts and cells show what a customer or a relay wrote, and do nothing of it', () => {
  const wrote = 'ok\u001b[1A\u202e\r\nstate  paid'
  expect(facts([['memo', wrote]], 80)).toBe('memo  ok [1A state  paid')
  expect(table([wrote], [{ title: 'MEMO', value: (text) => text }], undefined)).toBe('ok [1A state  paid')
})

test('a long fact goes on below itself', () => {
  expect(
    facts(
      [
        ['id', 'x'],
        ['memo', 'one two three'],
      ],
      14,
    ),
  ).toBe('id    x\nmemo  one two\n      three')
})

test('facts leave out what is not known', () => {
  const list = [
    ['id', 'x'],
    ['memo', null],
    ['depth', 0],
  ] as const
  expect(facts(list, undefined)).toBe('id\tx\ndepth\t0')
  expect(facts(list, 80)).toBe('id     x\ndepth  0')
})

test('csv quotes what needs it and disarms formulas', () => {
  expect(csvLine(['a,b', 'say "x"', null, 3, '=1+1', '-2', 'line\nbreak'])).toBe(
    '"a,b","say ""x""",,3,\'=1+1,\'-2,"line\nbreak"\r\n',
  )
})

test.each([
  ['invoce list', 'invoice list'],
  ['invoice lst', 'invoice list'],
  ['something else entirely', undefined],
])('"%s" is taken for %s', (typed, meant) => {
  expect(nearest(typed, ['invoice list', 'invoice show', 'webhook test'])).toBe(meant)
})
