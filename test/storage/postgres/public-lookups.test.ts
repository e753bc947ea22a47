// What the public lookups answer while the database does not.
import { expect, test } from 'vitest'
import { databaseUnavailable } from '../../../src/storage/errors.js'
import type { Queries } from '../../../src/storage/postgres/change.js'
import { createPublicLookups } from '../../../src/storage/postgres/names/public-lookups.js'
import { createFakeClock, settled } from '../../support/fake-clock.js'

const KEY = new Uint8Array(32).fill(1)
const HEX = '01'.repeat(32)

function theLookups() {
  const clock = createFakeClock()
  const server: { key: Uint8Array; trouble: 'locked' | 'refused' | undefined; questions: number } = {
    ...{ key: KEY, trouble: undefined, questions: 0 },
  }
  const lookups = createPublicLookups(
    {
      async readAnywhere(verb) {
        server.questions += 1
        if (server.trouble === 'locked') await clock.sleep(3000)
        if (server.trouble) throw databaseUnavailable(undefined, 'nameauth')
        return verb({ get: async () => [server.key] } as unknown as Queries)
      },
    },
    clock,
  )
  /** The key of a name and how old that is, once so much time has gone by. */
  async function ask(afterMs = 0) {
    let age: number | undefined
    const answer = lookups
      .keyOfName('alice', (ms) => {
        age = ms
      })
      .catch((error: { code: string }) => error.code)
    await settled()
    if (afterMs > 0) await clock.advance(afterMs)
    return { key: await answer, age }
  }
  return { clock, server, lookups, ask }
}

test('an answer that cannot be had newer is given with its age, for ten minutes', async () => {
  const { clock, server, ask } = theLookups()
  expect(await ask()).toEqual({ key: HEX, age: undefined })
  server.trouble = 'refused'
  await clock.advance(1999)
  expect(await ask()).toEqual({ key: HEX, age: undefined })
  await clock.advance(10_000)
  expect(await ask()).toEqual({ key: HEX, age: 11_999 })
  await clock.advance(588_001)
  expect(await ask()).toEqual({ key: HEX, age: 600_000 })
  await clock.advance(2001)
  expect(await ask()).toEqual({ key: 'DATABASE_UNAVAILABLE', age: undefined })
})

test('while a table is locked nobody waits for longer than a second, and each name is asked for once in two', async () => {
  const { clock, server, ask } = theLookups()
  await ask()
  await clock.advance(5000)
  server.trouble = 'locked'
  expect(await ask(1000)).toEqual({ key: HEX, age: 6000 })
  await clock.advance(2000)
  expect(await ask()).toEqual({ key: HEX, age: 8000 })
  expect(server.questions).toBe(2)
  await clock.advance(2001)
  server.trouble = undefined
  expect(await ask()).toEqual({ key: HEX, age: undefined })
})

test('what this process changed is asked for anew, also while the same question is under way', async () => {
  const { clock, server, lookups, ask } = theLookups()
  await ask()
  await clock.advance(3000)
  server.trouble = 'locked'
  const before = lookups.keyOfName('alice')
  await settled()
  server.trouble = undefined
  server.key = new Uint8Array(32).fill(2)
  lookups.forget()
  expect((await ask()).key).toBe('02'.repeat(32))
  await clock.advance(3000)
  await before
  expect((await ask()).key).toBe('02'.repeat(32))
})
