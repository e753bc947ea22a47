// The console's sheet has the colours of the checkout's, whose contrasts test/till/pages/style.test.ts measures.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const sheet = (path: string): string => readFileSync(path, 'utf8')
const console = sheet('templates/console/assets/console.css')
const checkout = sheet('templates/assets/style.css')

/** Names and colours of both schemes. */
const coloursOf = (css: string): readonly string[] =>
  [...css.slice(0, css.indexOf('*,\n*::before')).matchAll(/--[a-z-]+: [^;]+;/g)].map(([line]) => line)

test('both sheets mean the same by a colour; good is the tint', () => {
  const added = coloursOf(console).filter((line) => !coloursOf(checkout).includes(line))
  const tints = coloursOf(console).filter((line) => /--(?:on-)?tint:/.test(line))
  expect(added.toSorted()).toEqual(tints.map((line) => line.replace('tint', 'good')).toSorted())
  expect(coloursOf(console)).toEqual(expect.arrayContaining([...coloursOf(checkout)]))
})

test('every colour outside of the two schemes comes from them, but for lines on paper', () => {
  const rules = console.slice(console.indexOf('*,\n*::before'), console.indexOf('@media print'))
  expect(rules.match(/#[0-9a-f]{3,8}\b|rgb\(/gi)).toBeNull()
})

test('no template has a style or a script of its own', async () => {
  const { readdirSync } = await import('node:fs')
  const templates = readdirSync('templates/console', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.eta'),
  )
  const offenders = templates.filter((file) =>
    /\sstyle="|\son[a-z]+="|<script(?! type="module" src=)/.test(sheet(`templates/console/${file}`)),
  )
  expect(templates.length).toBeGreaterThan(10)
  expect(offenders).toEqual([])
})
