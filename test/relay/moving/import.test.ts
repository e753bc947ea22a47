// Files of events: how they are cut into lines, and what is reported about them.
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { importLines, type PublishAnswer, readLines } from '../../../src/relay/moving/import.js'

const chunksOf = (...texts: (string | Buffer)[]) => Readable.from(texts.map((text) => Buffer.from(text)))

async function linesOf(text: string, cuts: readonly number[] = [], longest = 1000) {
  const bytes = Buffer.from(text)
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  const chunks = [...places, bytes.length].map((end, at) => bytes.subarray(places[at - 1] ?? 0, end))
  const lines: [number, string | undefined][] = []
  for await (const line of readLines(chunksOf(...chunks), longest)) lines.push([line.number, line.bytes?.toString()])
  return lines
}

describe('lines', () => {
  test('are the same wherever the chunks end', async () => {
    const wanted = ['a', 'é'.repeat(20), '{"b":1}', '', 'last'].map((text, at) => [at + 1, text])
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(100)), async (cuts) => {
        const text = wanted.map(([, line]) => line).join('\n')
        expect(await linesOf(text, cuts)).toEqual(wanted.filter(([, line]) => line !== ''))
      }),
    )
  })

  test('may end as on Windows, and the last one with nothing', async () => {
    expect(await linesOf('a\r\n\r\nb')).toEqual([
      [1, 'a'],
      [3, 'b'],
    ])
    expect(await linesOf('a\n')).toEqual([[1, 'a']])
    expect(await linesOf('')).toEqual([])
  })

  test('that are too long are reported by their number, and the next ones are read', async () => {
    const long = 'x'.repeat(11)
    expect(await linesOf(`a\n${long}\nb\n${long}`, [3, 5, 12], 10)).toEqual([
      [1, 'a'],
      [2, undefined],
      [3, 'b'],
      [4, undefined],
    ])
  })
})

const ID = 'e1'.repeat(32)
const said = (text: string, accepted = text === '' || text.startsWith('duplicate')): PublishAnswer => ({
  id: ID,
  accepted,
  text,
})

/** Every event says in its content what is to be said to it. */
const take = async (values: readonly unknown[]) =>
  values.map((value) => said((value as { readonly content: string }).content))
const event = (content: string, kind = 1) => JSON.stringify({ kind, content })

async function imported(lines: readonly string[], takes = take) {
  return importLines({ chunks: chunksOf(lines.join('\n')), longestLine: 100, take: takes })
}

describe('what became of the lines', () => {
  test('is counted by what it means', async () => {
    const lines = ['', 'duplicate: have this event', 'replaced: have newer event', 'deleted: user requested deletion']
    const more = ['invalid: event expired', 'blocked: no', 'blocked: no']
    const tally = await imported([...lines, ...more].map((text) => event(text)))
    expect(tally).toMatchObject({
      lines: 7,
      stored: 1,
      known: 1,
      outdated: 3,
      refused: 2,
      reasons: { 'blocked: no': 2 },
    })
    expect(tally.examples).toEqual([6, 7].map((line) => ({ line, id: ID, reason: 'blocked: no' })))
  })

  test('takes in messages of relays and clients as well, and no ephemeral events', async () => {
    const lines = [`["EVENT",${event('')}]`, `["EVENT","sub",${event('')}]`, '["EOSE","sub"]', event('', 20_001)]
    const takes = async (values: readonly unknown[]) =>
      values.map((value) => said(Array.isArray(value) ? 'invalid: an event is an object' : ''))
    expect(await imported(lines, takes)).toMatchObject({ lines: 4, stored: 2, outdated: 1, refused: 1 })
  })

  test('names the lines that hold no JSON or too much', async () => {
    const tally = await imported([event(''), '{', event('x'.repeat(100)), '\ufeff{}'])
    expect(tally.examples.map(({ line, reason }) => [line, reason])).toEqual([
      [2, 'invalid: not JSON'],
      [3, 'invalid: line too long'],
      [4, 'invalid: not JSON'],
    ])
    expect(tally).toMatchObject({ lines: 4, stored: 1, refused: 3 })
  })

  test('passes over a byte order mark at the start, and blank lines', async () => {
    expect(await imported([`\ufeff${event('')}`, '', ' \t\r', `${event('')}\r`])).toMatchObject({
      stored: 2,
      refused: 0,
    })
  })

  test('stays bounded for a file of nothing but refusals', async () => {
    const lines = Array.from({ length: 3000 }, (_, at) => event(`blocked: \u001b${at}`))
    const tally = await imported(lines)
    expect(tally.refused).toBe(3000)
    expect(Object.keys(tally.reasons).length).toBe(21)
    expect(tally.reasons['other reasons']).toBe(2980)
    expect(tally.examples.length).toBe(20)
    expect(tally.examples[0]?.reason).not.toContain('\u001b')
  })

  test('is lost when the relay stops answering', async () => {
    const lines = Array.from({ length: 2000 }, () => event(''))
    let calls = 0
    const takes = async (values: readonly unknown[]) => {
      if (calls++ > 0) throw new Error('gone')
      return take(values)
    }
    await expect(imported(lines, takes)).rejects.toThrow('gone')
  })
})
