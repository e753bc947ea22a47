// src/commands/json-shapes.json has every command that takes --json, and test/long/cli-json.test.ts runs all of them; failures have one shape.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { JSON_CASES, WITHOUT_VALUE } from './long/cli-world/json-cases.js'
import { createChecker } from './long/cli-world/json-check.js'
import { JSON_SHAPES, jsonPageOf } from './long/cli-world/json-page.js'
import { GENERATED_PAGES } from './support/generated-pages.js'
import { runCommandClass } from './support/run-command.js'

const page = jsonPageOf(JSON_SHAPES)
const manifest: Record<string, { flags: object; relativePath: string[] }> = JSON.parse(
  readFileSync('oclif.manifest.json', 'utf8'),
).commands
const takesJson = Object.entries(manifest).filter(([, { flags }]) => 'json' in flags)
const nameOf = (id: string): string => id.replaceAll(':', ' ')

test('the page has a section for every command that takes --json, and for no other', () => {
  const sections = [...GENERATED_PAGES['json.md'].matchAll(/^### grinpay (.+)$/gm)].map(([, command]) => command)
  expect(sections).toEqual(takesJson.map(([id]) => nameOf(id)).sort())
})

test('only what runs until it is stopped, asks a person or prints a script is without --json', () => {
  const others = Object.keys(manifest).filter((id) => !takesJson.some(([one]) => one === id))
  expect(others.filter((id) => !/^(serve|setup)(:|$)/.test(id))).toEqual(['completion', 'relay:policy', 'sandbox'])
})

test('every document of the page is looked at, and nothing that is not there', () => {
  expect(Object.keys(JSON_CASES).sort()).toEqual([...page.commands.keys()].sort())
  expect(page.proseOnly).toEqual([
    'instance list',
    'openapi',
    // They need a cluster, as "instance list" does: test/cluster runs them.
    ...['relay join', 'store adopt', 'store check', 'store migrate', 'store move'],
    'webhook listen',
  ])
  const members = [...page.shared.values(), ...page.commands.values()].flatMap((shape) =>
    shape.members.map(({ owner, path }) => `${owner}: ${path}`),
  )
  expect(Object.keys(WITHOUT_VALUE).filter((member) => !members.includes(member))).toEqual([])
})

describe('the checker of documents', () => {
  const small = jsonPageOf({
    shared: { list: { members: { items: 'list', next: 'string or null' } }, coin: { members: { value: 'number' } } },
    commands: {
      a: { members: { at: 'time', coins: 'list of #coin', by: 'object or null', 'by.name': 'string' } },
      b: { isList: true, like: 'coin' },
      'b --sum': { like: 'coin', members: { of: ['map of number', 'by name'] } },
    },
  })
  const check = (title: string, document: unknown) => {
    const shape = small.commands.get(title)
    if (!shape) throw new Error(title)
    return createChecker(small).check(shape, document)
  }
  const good = { at: '2026-01-31T02:00:00Z', coins: [{ value: 1 }], by: { name: 'x' } }

  test('takes what is documented', () => {
    expect(check('a', good)).toEqual([])
    expect(check('a', { ...good, by: null, coins: [] })).toEqual([])
    expect(check('b', { items: [{ value: 2 }], next: null })).toEqual([])
    expect(check('b --sum', { value: 3, of: { anything: 1 } })).toEqual([])
  })

  test.each<[string, unknown, string[]]>([
    ['a', { ...good, more: 1 }, ['a.more: not documented']],
    ['a', { ...good, coins: [{ value: 1, weight: 2 }] }, ['a.coins[0].weight: not documented']],
    ['a', { ...good, by: {} }, ['a.by.name: missing']],
    ['a', { ...good, by: 7 }, ['a.by: not an object']],
    ['a', { ...good, at: 'noon' }, ['a.at: "noon" is not time']],
    ['a', { ...good, at: null }, ['a.at: null is not time']],
    ['b', { items: [{}], next: null }, ['b.items[0].value: missing']],
    ['b', { items: [] }, ['b.next: missing']],
    ['b --sum', { value: '3', of: {} }, ['b --sum.value: "3" is not number']],
    ['b --sum', { value: 3, of: { a: 'b' } }, ['b --sum.of: {"a":"b"} is not map of number']],
  ])('%s %j: %j', (title, document, complaints) => expect(check(title, document)).toEqual(complaints))
})

describe('a failure under --json', () => {
  const shape = page.shared.get('error')

  test.each(takesJson.map(([id]) => id))('%s', async (id) => {
    const file = manifest[id]?.relativePath.slice(2).join('/') ?? ''
    const { default: command } = await import(join('..', 'src', 'commands', file))
    const { stdout, exit } = await runCommandClass(command, ['--no-such-flag', '--json'])
    expect(exit).toBe(2)
    expect(shape && createChecker(page).check(shape, JSON.parse(stdout))).toEqual([])
  })
})
