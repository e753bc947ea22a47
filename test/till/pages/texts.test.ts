// Every language has every text, with the same placeholders and a form for each of its plurals; every text is used.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { LANGUAGES, type Language, languageFor, translatorOf } from '../../../src/till/pages/texts/index.js'
import { createFakeTill } from '../../support/fake-till.js'
import { tillApp } from '../../support/till-app.js'
import { MINUTE, NOON } from '../../support/till-builders.js'

const CODES = Object.keys(LANGUAGES) as Language[]
const formsOf = (value: string | object): readonly string[] =>
  typeof value === 'string' ? [value] : Object.values(value)
const placeholders = (text: string): string => [...text.matchAll(/\{\w+\}/g)].map(String).sort().join(' ')

describe.each(CODES)('the texts in %s', (code) => {
  const texts: Readonly<Record<string, string | object>> = LANGUAGES[code]

  test('are complete, with the same placeholders', () => {
    expect(Object.keys(texts)).toEqual(Object.keys(LANGUAGES.en))
    for (const [key, english] of Object.entries(LANGUAGES.en)) {
      const wanted = placeholders(formsOf(english)[0] ?? '')
      for (const form of formsOf(texts[key] ?? '')) expect([key, placeholders(form)]).toEqual([key, wanted])
      for (const form of formsOf(texts[key] ?? '')) expect([key, form.trim()]).toEqual([key, form])
      expect([key, formsOf(texts[key] ?? '').every((form) => form !== '')]).toEqual([key, true])
    }
  })

  test('have a form for each plural of the language, and no other', () => {
    const { pluralCategories } = new Intl.PluralRules(code).resolvedOptions()
    for (const [key, english] of Object.entries(LANGUAGES.en))
      if (typeof english === 'object')
        expect([key, Object.keys(texts[key] ?? {}).sort()]).toEqual([key, [...pluralCategories].sort()])
  })

  test('are on the pages, and nothing stays unfilled', async () => {
    const { app, till } = await tillApp({
      till: createFakeTill({ chain: 'testnet' }),
      methods: ['nostr', 'slatepack'],
    })
    const { token } = till.put({ memo: 'Tea', expiresAt: NOON + 5 * MINUTE, offeredRail: 'grin1', slatepack: 'I1' })
    const headers = { 'accept-language': code }
    const paths = ['goblin', 'address', 'invoice', 'slatepack'].flatMap((method) => [
      `/pay/${token}?method=${method}`,
      `/pay/${token}/frame?method=${method}`,
    ])
    const states = ['paid', 'confirmed', 'expired', 'cancelled'] as const
    const others = states.map((status) => `/pay/${till.put({ status }).token}/frame`)
    for (const url of [...paths, ...others, '/pay/nope', '/']) {
      const answer = await app.inject({ url, headers })
      expect(answer.body).toContain(`<html lang="${code}">`)
      expect(answer.headers.vary).toContain('Accept-Language')
      expect(answer.body).not.toMatch(/\{\w+\}|undefined|\[object/)
    }
  })
})

const sentencesOf = (code: 'es' | 'fr'): readonly string[] =>
  Object.values<string | object>(LANGUAGES[code]).flatMap((text) =>
    typeof text === 'string' ? text : Object.values(text),
  )

test('French has no-break spaces before its marks and inside its quotes', () => {
  for (const text of sentencesOf('fr')) expect(text).not.toMatch(/ [:;!?»]|« |[^\s\d][;!?»]|«[^\u202f]/)
})

test('Spanish opens what it asks and exclaims', () => {
  for (const text of sentencesOf('es'))
    for (const [opens, ends] of ['¿?', '¡!'] as const)
      expect(text.split(opens ?? '').length).toBe(text.split(ends ?? '').length)
})

test('no language repeats the English sentences', () => {
  for (const code of CODES.filter((one) => one !== 'en')) {
    const same = Object.entries(LANGUAGES.en).filter(([key, text]) => text === LANGUAGES[code][key as 'brand'])
    expect([code, same.map(([key]) => key)]).toEqual([code, []])
  }
})

test('every key of a template is there, and every text is used', () => {
  const pages = ['templates/checkout', 'templates/landing', 'src/till/pages'].flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => /\.(eta|ts)$/.test(file))
      .map((file) => `${folder}/${file}`),
  )
  const rails = ['nostr', 'grin1', 'slatepack'].map((rail) => `src/till/${rail}/rail.ts`)
  const sources = [...pages, ...rails].map((file) => readFileSync(file, 'utf8'))
  const asked = sources.flatMap((text) => [...text.matchAll(/it\.t\((?:it\.copy \? )?'(\w+)'/g)].map(([, key]) => key))
  for (const key of asked) expect(Object.keys(LANGUAGES.en)).toContain(key)
  const all = sources.join('\n')
  expect(Object.keys(LANGUAGES.en).filter((key) => !all.includes(`'${key}'`))).toEqual([])
})

test.each([
  [1, 'осталась 1 минута'],
  [2, 'осталось 2 минуты'],
  [5, 'осталось 5 минут'],
  [11, 'осталось 11 минут'],
  [21, 'осталась 21 минута'],
  [22, 'осталось 22 минуты'],
  [112, 'осталось 112 минут'],
])('%i in Russian: %s', (n, text) => expect(translatorOf('ru').plural('minutesLeft', n)).toBe(text))

test.each<[string | undefined, Language]>([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-CH,de;q=0.9,en;q=0.8', 'de'],
  ['nl,fr;q=0.7,en;q=0.8', 'en'],
  ['nl;q=1,ru;q=0.5', 'ru'],
  ['zh-TW, zh;q=0.9', 'zh'],
  ['ES', 'es'],
  ['de;q=0,fr', 'fr'],
  ['de;q=x', 'en'],
  ['constructor,__proto__', 'en'],
  ['*', 'en'],
  [`${'a,'.repeat(500)}de`, 'en'],
])('Accept-Language %j is read as %s', (header, language) => expect(languageFor(header)).toBe(language))
