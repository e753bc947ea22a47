// A bell on a server whose machine has lost its power: nothing is closed, and nothing is answered.
import { expect, onTestFinished, test } from 'vitest'
import { createBell } from '../../../src/storage/postgres/bell.js'
import type { Connection } from '../../../src/storage/postgres/driver.js'
import { createFakeClock, settled } from '../../support/fake-clock.js'

/** Connections that answer while the power is on. A dead one stays dead; `made` has all of them, by what was asked on them. */
function aServer() {
  const made: { asked: string[]; isSound: boolean; isDead: boolean }[] = []
  const find = async () => {
    const state = { asked: [] as string[], isSound: true, isDead: false }
    made.push(state)
    const ask = (sql: string) => {
      state.asked.push(sql)
      return state.isDead ? new Promise<undefined>(() => {}) : Promise.resolve(undefined)
    }
    const connection: Partial<Connection> = {
      get isSound() {
        return state.isSound
      },
      // As of an idle client: its goodbye is answered by nothing.
      ended: new Promise(() => {}),
      script: ask,
      get: ask,
      onNotification: () => undefined,
      close() {
        state.isSound = false
      },
    }
    return { connection: connection as Connection, server: 'a' }
  }
  return { made, find, close: () => undefined }
}

function aBell() {
  const [clock, server] = [createFakeClock(), aServer()]
  const bell = createBell({ channel: 'c', finder: server, clock })
  onTestFinished(() => bell.close())
  return { clock, bell, made: server.made }
}

test('a listening connection that is silent is closed, and another one listens', async () => {
  const { clock, bell, made } = aBell()
  const heard: (string | undefined)[] = []
  bell.listen((topic) => heard.push(topic))
  await settled()
  await clock.advance(5000)
  expect([made.length, heard]).toEqual([1, [undefined]])
  for (const connection of made) connection.isDead = true
  await clock.advance(5000)
  await clock.advance(3000)
  // The pause before the next attempt.
  await clock.advance(500)
  expect(made.map(({ isSound }) => isSound)).toEqual([false, true])
  expect(heard).toEqual([undefined, undefined])
})

test('a ring that is not answered is given up, and the next one goes out on another connection', async () => {
  const { clock, bell, made } = aBell()
  bell.ring('first')
  await settled()
  for (const connection of made) connection.isDead = true
  bell.ring('lost')
  await settled()
  bell.ring('next')
  await clock.advance(3000)
  expect(made.map(({ isSound }) => isSound)).toEqual([false, true])
  expect(made[1]?.asked.at(-1)).toContain('pg_notify')
})

test('the process ends although a listening connection is dead', async () => {
  const { bell, made } = aBell()
  bell.listen(() => undefined)
  await settled()
  for (const connection of made) connection.isDead = true
  await bell.close()
})
