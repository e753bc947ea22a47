// docs/json.md is what commands print with --json, member by member, both ways: the built command against a sandbox that runs.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { JSON_CASES, WITHOUT_VALUE } from './cli-world/json-cases.js'
import { createChecker } from './cli-world/json-check.js'
import { readJsonPage } from './cli-world/json-page.js'
import { openWorldWithProps, type WorldWithProps, wordsOf } from './cli-world/props.js'

const page = readJsonPage(readFileSync('docs/json.md', 'utf8'))
const checker = createChecker(page)

let world: WorldWithProps
beforeAll(async () => {
  world = await openWorldWithProps()
})
afterAll(() => world?.close())

describe.each(Object.keys(JSON_CASES))('grinpay %s --json', (title) => {
  const command = title.replace(/ --.*$/, '')
  const shape = page.commands.get(title)

  test.each(JSON_CASES[title] ?? [])('$words', async ({ words, exit = 0 }) => {
    const args = [...command.split(' '), ...(await wordsOf(words, world.props)), '--json']
    const ran = world.grinpay(args)
    expect({ exit: ran.exit, stderr: ran.stderr }, ran.stdout).toEqual({ exit, stderr: '' })
    expect(shape).toBeDefined()
    expect(shape && checker.check(shape, withoutChain(JSON.parse(ran.stdout), shape))).toEqual([])
  })
})

/** Every object that a till answers says its chain; the page tells it once, at its beginning. */
function withoutChain(document: object & { chain?: unknown }, { members }: { members: readonly { path: string }[] }) {
  if (!('chain' in document) || members.some(({ path }) => path === 'chain')) return document
  const { chain, ...rest } = document
  expect(chain).toBe('sandbox')
  return rest
}

test('a failure is one document too', () => {
  const shape = page.shared.get('error')
  const { stdout, exit } = world.grinpay(['invoice', 'show', 'nothing', '--json'])
  expect(exit).toBe(4)
  expect(shape && checker.check(shape, JSON.parse(stdout))).toEqual([])
})

test('every member of the page had a value somewhere', () => {
  expect(checker.unseen().filter((member) => !(member in WITHOUT_VALUE))).toEqual([])
})
