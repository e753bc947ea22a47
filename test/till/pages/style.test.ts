import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { contrast } from '../../support/contrast.js'

const css = readFileSync('templates/assets/style.css', 'utf8')
const [, light = ''] = /:root \{([^}]*)\}/.exec(css) ?? []
const [, dark = ''] = /prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}/.exec(css) ?? []

/** Text on ground, as the sheet uses them; the number is the least contrast (3 for lines around fields). */
const PAIRS = [
  ['ink', 'paper', 4.5],
  ['ink', 'card', 4.5],
  ['ink', 'well', 4.5],
  ['muted', 'paper', 4.5],
  ['muted', 'card', 4.5],
  ['muted', 'well', 4.5],
  ['accent', 'card', 4.5],
  ['accent', 'paper', 4.5],
  ['on-accent', 'accent', 4.5],
  ['on-tint', 'tint', 4.5],
  ['accent', 'tint', 3],
  ['on-warn', 'warn', 4.5],
  ['on-bad', 'bad', 4.5],
  ['field-line', 'card', 3],
  ['field-line', 'well', 3],
  ['focus', 'card', 3],
  ['focus', 'paper', 3],
  ['accent', 'line', 3],
] as const

const colourOf = (scheme: string, name: string): string =>
  new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(scheme)?.[1] ?? `no colour ${name}`

describe.each([
  ['light', light],
  ['dark', dark],
])('in the %s scheme', (_name, scheme) => {
  test.each(PAIRS)('%s on %s has a contrast of at least %d', (text, ground, least) => {
    expect(contrast(colourOf(scheme, text), colourOf(scheme, ground))).toBeGreaterThanOrEqual(least)
  })
})

test('the measure is right: black on white is 21', () => expect(contrast('#000000', '#ffffff')).toBeCloseTo(21))

test('every colour outside of the two schemes comes from them', () => {
  const rules = css.slice(css.indexOf('*,\n*::before'))
  expect(rules.match(/#[0-9a-f]{3,8}\b|rgb\(/gi)).toBeNull()
})

test('nothing is loaded from anywhere', () => expect(css).not.toMatch(/url\(|@import|@font-face/))
