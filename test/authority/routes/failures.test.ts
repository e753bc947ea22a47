// What the outside learns when something of ours fails (specification: names, 6 and 7).
import { expect, test } from 'vitest'
import type { Authority } from '../../../src/authority/index.js'
import { defineError } from '../../../src/lib/errors.js'
import { openLog } from '../../../src/system/index.js'
import { nameApp } from '../../support/name-app.js'
import { keyPairOf } from '../../support/nostr.js'

const ada = keyPairOf('ada')
const bob = keyPairOf('bob')
const diskFull = defineError('DATABASE_WRITE_FAILED', {
  status: 503,
  text: () => 'the database /var/lib/secret/names.db cannot be written: disk full',
})
const sqlite = () => Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' })

const failing = (thrown: () => Error) => (authority: Authority) => {
  const fail = () => Promise.reject(thrown())
  return {
    ...authority,
    names: { ...authority.names, lookup: fail, nameOf: fail, availability: fail, register: fail, release: fail },
  }
}

const READS = [
  '/.well-known/nostr.json?name=ada',
  '/api/v1/name/ada',
  '/api/v1/profile/ada',
  `/api/v1/by-pubkey/${ada.pubkey}`,
]

test.each(READS.flatMap((url) => [diskFull, sqlite].map((thrown) => [url, thrown] as const)))(
  '%s is 500 when the database fails, and never an empty answer',
  async (url, thrown) => {
    const { get } = await nameApp({ change: failing(thrown) })
    const answer = await get(url)
    expect([answer.statusCode, answer.json().error]).toEqual([500, 'db error'])
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' })
    expect(answer.body).not.toMatch(/disk|secret|names.db/)
    expect(answer.json()).not.toHaveProperty('names')
  },
)

test('a claim is 500 when the database fails', async () => {
  const { claim } = await nameApp({ change: failing(diskFull) })
  const answer = await claim(ada, 'nova')
  expect([answer.statusCode, answer.json().error]).toEqual([500, 'db error'])
})

test('a claim is 500 while the disk is full, and everything else is answered', async () => {
  let hasRoom = true
  const { claim, get } = await nameApp({ parts: { hasRoom: () => hasRoom } })
  expect((await claim(ada, 'nova')).statusCode).toBe(201)
  hasRoom = false
  const refused = await claim(bob, 'comet')
  expect([refused.statusCode, refused.json().error, refused.body.includes('disk')]).toEqual([500, 'db error', false])
  expect((await claim(ada, 'nova')).statusCode).toBe(200)
  expect((await get('/api/v1/name/comet')).json()).toMatchObject({ available: true })
  hasRoom = true
  expect((await claim(bob, 'comet')).statusCode).toBe(201)
})

test('a bug tells nothing about itself', async () => {
  const { get } = await nameApp({ change: failing(() => new TypeError('x is undefined')) })
  const answer = await get('/api/v1/profile/ada')
  expect([answer.statusCode, answer.json().error]).toEqual([500, 'internal error'])
  expect(answer.body).not.toContain('undefined')
})

test('the log has the reason', async () => {
  const lines: string[] = []
  const log = await openLog({ human: false, level: 'info', write: (line) => void lines.push(line) })
  const { get } = await nameApp({ change: failing(diskFull), app: { log } })
  await get('/api/v1/profile/ada')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 'warn',
      code: 'DATABASE_WRITE_FAILED',
      cause: expect.stringContaining('disk full'),
      route: '/api/v1/profile/:name',
    },
  ])
})
