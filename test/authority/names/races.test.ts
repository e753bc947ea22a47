// Many claims at the same moment, on the real database and from two programs at once (specification: names, 6, step 13).
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { createNames } from '../../../src/authority/names/names.js'
import { shapeOf } from '../../../src/authority/names/rules.js'
import { type OpenNameStore, openNameStore } from '../../../src/storage/index.js'
import { authoritySettings, claimBody } from '../../support/authority-parts.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { temporaryFolder } from '../../support/temporary-store.js'

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

/** Two authorities that know nothing of each other but the file. */
async function openTwo(cooldownSeconds = 600) {
  const { folder, remove } = temporaryFolder()
  opened.push(async () => remove())
  const clock = createFakeClock()
  const open = async () => {
    const store = await openNameStore({ path: join(folder, 'names.db'), now: clock.now })
    opened.push(() => store.close())
    const paid = { requireName: async () => false }
    const names = createNames({ store, clock, settings: authoritySettings({ cooldownSeconds }), paid })
    const claim = (pubkey: string, name: string): Promise<string> =>
      names.register({ pubkey }, claimBody(name, pubkey)).then(
        ({ isNew }) => (isNew ? 'claimed' : 'held'),
        (error: Error) => error.message,
      )
    return { store, names, claim }
  }
  return [await open(), await open()] as const
}

const key = (n: number): string => n.toString(16).padStart(64, '0')

async function activeNames(store: OpenNameStore) {
  const { items } = await store.listNames({ status: 'active' }, 100)
  return items
}

test('of fifty keys that claim one name or a look-alike of it, one gets it', async () => {
  const [one, two] = await openTwo()
  const spellings = ['alice', 'a1ice', 'al1ce', '4lice', 'a.lice']
  const claims = Array.from({ length: 50 }, (_, at) =>
    (at % 2 ? one : two).claim(key(at + 1), spellings[at % spellings.length] ?? ''),
  )
  const answers = await Promise.all(claims)
  expect(answers.filter((answer) => answer === 'claimed')).toHaveLength(1)
  expect(answers.filter((answer) => answer === 'name taken')).toHaveLength(49)
  expect(await activeNames(one.store)).toHaveLength(1)
})

test('a key that claims fifty names at once ends with one', async () => {
  const [one, two] = await openTwo()
  const claims = Array.from({ length: 50 }, (_, at) => (at % 2 ? one : two).claim(key(1), `name-${at}x`))
  const answers = await Promise.all(claims)
  expect(new Set(answers)).toEqual(new Set(['claimed', 'name_change_cooldown']))
  expect(answers.filter((answer) => answer === 'claimed').length).toBeLessThanOrEqual(2)
  expect(await activeNames(two.store)).toHaveLength(1)
})

test('without a cooldown, too', async () => {
  const [one, two] = await openTwo(0)
  const claims = Array.from({ length: 50 }, (_, at) => (at % 2 ? one : two).claim(key(1), `name-${at}x`))
  expect(new Set(await Promise.all(claims))).toEqual(new Set(['claimed']))
  expect(await activeNames(two.store)).toHaveLength(1)
})

test('the same claim many times takes the name once and holds it', async () => {
  const [one, two] = await openTwo()
  const answers = await Promise.all([one, two, one, two, one].map(({ claim }) => claim(key(1), 'nova')))
  expect(answers.sort()).toEqual(['claimed', 'held', 'held', 'held', 'held'])
})

test('whatever keys do, no key has two names and no two keys have look-alikes', async () => {
  const keys = fc.integer({ min: 1, max: 4 }).map(key)
  const name = fc.constantFrom('nova', 'n0va', 'no-va', 'mail', 'mall', 'mai1', 'comet')
  const step = fc.record({
    by: keys,
    name,
    verb: fc.constantFrom('claim', 'claim', 'release'),
    door: fc.constantFrom(0, 1),
  })
  const property = fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
    const doors = await openTwo(0)
    const work = steps.map(({ by, name, verb, door }) => {
      const { claim, names } = doors[door as 0 | 1]
      return verb === 'claim' ? claim(by, name) : names.release({ pubkey: by }, name).catch(() => 'refused')
    })
    await Promise.all(work)
    const rows = await activeNames(doors[0].store)
    expect(new Set(rows.map(({ pubkey }) => pubkey)).size).toBe(rows.length)
    const alike = rows.filter((row) => rows.some((other) => other !== row && shapeOf(row.name).looksLike(other.name)))
    expect(alike).toEqual([])
  })
  await fc.assert(property, { numRuns: 25 })
})
