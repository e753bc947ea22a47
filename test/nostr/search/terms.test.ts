// The words by which an event is found (NIP-50).
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holdsInTitle, holdsTerms, parseSearch, searchTermsOf } from '../../../src/nostr/search/index.js'

const note = (content: string, tags: readonly (readonly string[])[] = []) => ({
  kind: 1,
  content,
  tags: tags.map((tag) => [...tag]),
})
const profile = (members: object) => ({ kind: 0, content: JSON.stringify(members), tags: [] })
const demandOf = (text: string): readonly string[] => {
  const search = parseSearch(text)
  return search && 'terms' in search ? search.terms : []
}
const isFound = (event: Parameters<typeof searchTermsOf>[0], text: string): boolean =>
  demandOf(text).length > 0 && holdsTerms(searchTermsOf(event), demandOf(text))

describe('a note is found', () => {
  test.each([
    ['Grüße aus ZÜRICH!', 'grusse', true],
    ['Neue Straße 7', 'STRASSE', true],
    ['NEUE STRASSE 7', 'straße', true],
    ['STRAẞE', 'strasse', true],
    ['Привет, мир', 'ПРИВЕТ', true],
    ['йод'.normalize('NFD'), 'ЙОД', true],
    ['Grüße aus ZÜRICH!', 'gruße zurich', true],
    ['naïve café', 'NAIVE Cafe', true],
    ['ΟΔΟΣ', 'οδος', true],
    ['İstanbul', 'istanbul', true],
    ['ｆｕｌｌ width', 'full', true],
    ['snake_case and dash-ed', 'case dash', true],
    ['whole words only', 'word', false],
    ['日本語の検索', '本語', true],
    ['日本語の検索', '検索', true],
    ['日本語の検索', '語', true],
    ['日本語の検索', '索検', false],
    ['カタカナー', 'カナー', true],
    ['ภาษาไทย', 'ไทย', true],
    ['한국어를 찾기', '한국어', true],
    ['grin日本grin', 'grin 日本', true],
    ['हिन्दी में', 'हिन्दी', true],
    ['emoji 🚀 only', '🚀', false],
  ])('%j by %j: %s', (content, text, expected) => {
    expect(isFound(note(content), text)).toBe(expected)
  })
})

describe('names and titles', () => {
  test('are found by the beginning of a word, other texts are not', () => {
    const event = profile({ name: 'Satoshi', display_name: 'S. Nakamoto', nip05: 'sat@shop.example', about: 'genesis' })
    for (const text of ['sa', 'satoshi', 'naka', 'shop', 'genesis', 's naka gen'])
      expect([text, isFound(event, text)]).toEqual([text, text !== 's naka gen'])
  })

  test('count as titles of notes by their tags', () => {
    const event = note('text', [
      ['title', 'Red bicycle'],
      ['summary', 'hardly used'],
    ])
    expect(holdsInTitle(searchTermsOf(event), demandOf('red bic'))).toBe(true)
    expect(holdsInTitle(searchTermsOf(event), demandOf('hardly'))).toBe(false)
    expect(isFound(event, 'hardly bicycle text')).toBe(true)
  })

  test.each(['', 'no JSON', '[]', '"x"', '{"name":5}', 'null'])('a profile that is %j has none', (content) => {
    expect([...searchTermsOf({ kind: 0, content, tags: [] })]).toEqual([])
  })
})

describe('bounds', () => {
  test('a text counts up to its 8,192nd character, a word up to its 32nd', () => {
    const long = note(`${'x '.repeat(4095)}near far`)
    expect([isFound(long, 'far'), isFound(long, 'x')]).toEqual([false, true])
    expect(isFound(note('a'.repeat(40)), 'a'.repeat(33))).toBe(true)
  })

  test('a search has at most 256 characters and 12 words', () => {
    expect(parseSearch('x'.repeat(257))).toEqual({ problem: 'search is longer than 256 characters' })
    expect(parseSearch('a b c d e f g h i j k l m')).toHaveProperty('problem')
    expect(parseSearch('a b c d e f g h i j k l')).toHaveProperty('terms.length', 12)
    expect(parseSearch('あいうえおかきくけこさしすせそたちつてと')).toHaveProperty('problem')
    expect(parseSearch('a '.repeat(100))).toEqual({ terms: ['a'] })
  })

  test.each(['', ' ', '!?', 'include:spam', 'domain:shop.example language:en'])('%j demands nothing', (text) => {
    expect(parseSearch(text)).toBeUndefined()
  })
})

test('every text is found by each of its own words, and terms need no quoting', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (content) => {
      const terms = searchTermsOf(note(content))
      for (const word of content.split(/\s+/)) {
        const demand = demandOf(word)
        if (!/:/.test(word)) expect(holdsTerms(terms, demand)).toBe(true)
      }
      for (const term of terms) expect(term).not.toMatch(/[\s"'*^()+\-:]/)
    }),
  )
})
