// src/commands/json-shapes.json is what commands print with --json, member by member, both ways: the built command against a sandbox that runs.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSignIn } from '../../src/console/sign-in/sign-in.js'
import { openConsoleStore } from '../../src/storage/console/store.js'
import { JSON_CASES, WITHOUT_VALUE } from './cli-world/json-cases.js'
import { createChecker } from './cli-world/json-check.js'
import { JSON_SHAPES, jsonPageOf } from './cli-world/json-page.js'
import { openWorldWithProps, type WorldWithProps, wordsOf } from './cli-world/props.js'

const page = jsonPageOf(JSON_SHAPES)
const checker = createChecker(page)

let world: WorldWithProps
beforeAll(async () => {
  world = await openWorldWithProps()
  await signIn()
})
afterAll(() => world?.close())

/** Someone has signed in to the console, so that there are a session and an entry in the audit log. */
async function signIn(): Promise<void> {
  const { url } = JSON.parse((await world.grinpay(['console', 'open', '--json'])).stdout) as { url: string }
  const store = await openConsoleStore({ path: join(world.home, '.grinpay/data/console.db'), mustExist: true })
  const { enter } = createSignIn({ store, clock: Date, random: { bytes: (length) => randomBytes(length) } })
  await enter(url.split('/').at(-1) ?? '', { address: '127.0.0.1', browser: 'a browser' }, undefined)
  await store.close()
}

describe.each(Object.keys(JSON_CASES))('grinpay %s --json', (title) => {
  const command = title.replace(/ --.*$/, '')
  const shape = page.commands.get(title)

  test.each(JSON_CASES[title] ?? [])('$words', async ({ words, exit = 0 }) => {
    const args = [...command.split(' '), ...(await wordsOf(words, world.props)), '--json']
    const ran = await world.grinpay(args)
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

test('a failure is one document too', async () => {
  const shape = page.shared.get('error')
  const { stdout, exit } = await world.grinpay(['invoice', 'show', 'nothing', '--json'])
  expect(exit).toBe(4)
  expect(shape && checker.check(shape, JSON.parse(stdout))).toEqual([])
})

test('every member of the page had a value somewhere', () => {
  expect(checker.unseen().filter((member) => !(member in WITHOUT_VALUE))).toEqual([])
})
