// The desk of names on a real names.db: in the authority's process, and beside it by its settings file; and the authority's own console.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { NameDesk } from '../../src/console/index.js'
import { makeSignInLink } from '../../src/daemons/console-admin.js'
import { createNameDesk, namesOf } from '../../src/daemons/parts/nameauth/console-names.js'
import { namesBeside } from '../../src/daemons/parts/nameauth/names-beside.js'
import { formFields } from '../support/console-app.js'
import { ADA, ADA_NPUB, BOB, type NamesForCommands, NOON, namesForCommands } from '../support/name-commands.js'
import { nameDaemon } from '../support/name-daemon.js'
import { freePort } from '../support/till-process.js'
import { codeOf } from '../support/vectors.js'

let at: NamesForCommands
beforeEach(async () => {
  at = await namesForCommands()
})
afterEach(() => at.close())

const clock = { now: () => NOON }
const names = { domain: 'names.example.org', nameMin: 3, nameMax: 20, reserved: [] }
const order = { name: 'harbour', reason: 'because' }

const DESKS: Readonly<Record<string, () => NameDesk>> = {
  'in the process of the authority': () => createNameDesk(namesOf({ store: at.store, clock, names })),
  'beside it': () => createNameDesk(namesBeside(at.envFile)),
}

describe.each(Object.entries(DESKS))('%s', (_where, open) => {
  test('names are listed by beginning, key and state, and each has its facts', async () => {
    const desk = open()
    await at.claim('harbour', ADA)
    await at.claim('harvest', BOB)
    await desk.suspend({ ...order, name: 'harvest' }, true)
    const found = async (text: string, choice: 'all' | 'held' | 'suspended' | 'released' = 'all') =>
      (await desk.names({ text, choice, limit: 5 })).items.map(({ name }) => name)
    expect(await found('har')).toEqual(['harbour', 'harvest'])
    expect([await found(ADA_NPUB), await found(BOB, 'held')]).toEqual([['harbour'], ['harvest']])
    expect([await found('', 'suspended'), await found('harb', 'suspended')]).toEqual([['harvest'], []])
    await desk.evict(order, { holder: ADA, reserve: false })
    expect([await found('', 'held'), await found('', 'released')]).toEqual([['harvest'], ['harbour']])
    expect(await desk.domain()).toBe('names.example.org')
    expect(await desk.name('harvest')).toMatchObject({
      state: 'suspended',
      record: { holder: { hex: BOB }, since: NOON, suspendedAt: expect.any(Number) },
      reserved: null,
      offers: [],
    })
    expect(await codeOf(() => desk.name('-'))).toBe('NAME_UNUSABLE')
  })

  test('every change is in the history with its reason', async () => {
    const desk = open()
    await at.claim('harbour', ADA)
    expect(await desk.suspend(order, true)).toMatchObject({ name: 'harbour', changed: true })
    expect(await desk.suspend(order, true)).toMatchObject({ changed: false })
    await desk.suspend(order, false)
    await desk.evict(order, { holder: ADA, reserve: true })
    expect((await desk.reserved({ limit: 5 })).items).toMatchObject([{ name: 'harbour', reason: 'because' }])
    await desk.unreserve(order)
    expect(await desk.reserve({ name: 'Quay', reason: 'ours' })).toMatchObject({ name: 'quay', changed: true })
    const { items, next } = await desk.history('harbour', { limit: 6 })
    expect([items.map(({ action, actor }) => `${action} ${actor}`), next === null]).toEqual([
      [
        'unreserve operator',
        'reserve operator',
        'evict operator',
        'resume operator',
        'suspend operator',
        'claim holder',
      ],
      true,
    ])
    expect(items[2]).toMatchObject({ reason: 'because', key: { hex: ADA, npub: ADA_NPUB } })
    expect((await desk.history('harbour', { limit: 2, cursor: String(items[1]?.id) })).items).toHaveLength(2)
  })

  test('what the authority refuses is refused, and nothing is changed', async () => {
    const desk = open()
    await at.claim('harbour', ADA)
    expect(await codeOf(() => desk.evict(order, { holder: BOB, reserve: true }))).toBe('HOLDER_CHANGED')
    expect(await codeOf(() => desk.suspend({ ...order, name: 'nobody' }, true))).toBe('NAME_NOT_HELD')
    expect(await codeOf(() => desk.unreserve(order))).toBe('NAME_NOT_RESERVED')
    expect(await codeOf(() => desk.unreserve({ ...order, name: 'admin' }))).toBe('NAME_RESERVED_ELSEWHERE')
    expect(await desk.name('harbour')).toMatchObject({ state: 'active', reserved: null })
    expect(await desk.name('admin')).toMatchObject({ state: 'reserved', reserved: { by: 'built-in' } })
  })

  test('an offer is found by state, and its sale with the kernel that proved it', async () => {
    const desk = open()
    await at.claim('harbour', ADA)
    const { id } = await at.offer('harbour')
    expect((await desk.offers('live', { limit: 5 })).items).toMatchObject([{ id, sale: null, endedAt: null }])
    expect((await desk.name('harbour')).offers).toHaveLength(1)
    const kernelExcess = '09'.repeat(33)
    await at.store.transferName({ offerId: id, kernelExcess, kernelHeight: 7, now: NOON, cooldownMs: 0 })
    expect((await desk.offers('live', { limit: 5 })).items).toEqual([])
    const sold = { id, state: 'consumed', sale: { kernelExcess, kernelHeight: 7, claimedAt: NOON }, endedAt: NOON }
    expect((await desk.offers('consumed', { limit: 5 })).items).toMatchObject([sold])
    expect(await desk.offer(id)).toMatchObject(sold)
    expect(await desk.offer('0'.repeat(64))).toBeUndefined()
  })
})

test('held names behind many released ones are on the first page', async () => {
  const desk = createNameDesk(namesOf({ store: at.store, clock, names }))
  await at.claim('zulu', BOB)
  for (let i = 0; i < 210; i++) {
    const name = `n${i}`
    await at.claim(name, ADA)
    await at.store.releaseName({ name, pubkey: ADA, now: NOON, cooldownMs: 0 })
  }
  const { items, next } = await desk.names({ text: '', choice: 'held', limit: 5 })
  expect([items.map(({ name }) => name), next]).toEqual([['zulu'], null])
})

test('a page of held names goes on where it ended', async () => {
  const desk = createNameDesk(namesOf({ store: at.store, clock, names }))
  for (const [i, name] of ['alpha', 'bravo', 'charlie'].entries()) await at.claim(name, `${i}`.repeat(64))
  const first = await desk.names({ text: '', choice: 'held', limit: 2 })
  expect([first.items.map(({ name }) => name), first.next]).toEqual([['alpha', 'bravo'], 'bravo'])
  const second = await desk.names({ text: '', choice: 'held', limit: 2, cursor: 'bravo' })
  expect([second.items.map(({ name }) => name), second.next]).toEqual([['charlie'], null])
})

test('settings or a database that are not there are said on the page, with what to do', async () => {
  const desk = createNameDesk(namesBeside(at.envFile))
  const refusal = () =>
    desk.reserved({ limit: 1 }).then(
      () => undefined,
      ({ code, message }) => ({ code, message }),
    )
  const code = 'CONSOLE_NAMES_UNREACHABLE'
  writeFileSync(at.envFile, `NAMEAUTH_DOMAIN=names.example.org\nNAMEAUTH_NAMES_DB=${join(at.folder, 'other.db')}\n`)
  expect(await refusal()).toEqual({ code, message: expect.stringContaining('other.db') })
  rmSync(at.envFile)
  expect(await refusal()).toEqual({ code, message: expect.stringContaining(at.envFile) })
  expect(await codeOf(() => desk.reserve(order))).toBe(code)
})

test.each([
  ['NAMEAUTH_NAME_MIN', 'NAMEAUTH_NAME_MIN=many'],
  ['NAMEAUTH_NAME_MIN', 'NAMEAUTH_NAME_MIN=9\nNAMEAUTH_NAME_MAX=5'],
  ['NAMEAUTH_RESERVED_FILE', 'NAMEAUTH_RESERVED_FILE=/nowhere/reserved.txt'],
  ['NAMEAUTH_DOMAIN', 'NAMEAUTH_DOMAIN='],
  ['NAMEAUTH_DOMAIN', 'NAMEAUTH_DOMAIN=names.example.org:port'],
])('no answer about names is guessed while %s is wrong', async (setting, line) => {
  const desk = createNameDesk(namesBeside(at.envFile))
  expect(await desk.name('harbour')).toMatchObject({ state: 'free' })
  writeFileSync(at.envFile, `NAMEAUTH_DOMAIN=names.example.org\nNAMEAUTH_NAMES_DB=${at.dbPath}\n${line}\n`)
  const [read, edited] = await Promise.allSettled([desk.name('harbour'), desk.reserve(order)])
  const refusal = { code: 'CONSOLE_NAMES_UNREACHABLE', message: expect.stringContaining(setting) }
  expect([read, edited]).toMatchObject([{ reason: refusal }, { reason: refusal }])
  expect((await at.store.listReserved(1)).items).toEqual([])
})

test('settings that say nothing about names may be wrong', async () => {
  writeFileSync(
    at.envFile,
    `NAMEAUTH_DOMAIN=names.example.org\nNAMEAUTH_NAMES_DB=${at.dbPath}\nNAMEAUTH_NAMES_BIND=?\nNAMEAUTH_PAY_MODE=name\n`,
  )
  const desk = createNameDesk(namesBeside(at.envFile))
  expect(await desk.name('harbour')).toMatchObject({ state: 'free' })
})

test('an authority with a console: a link signs in, and a name is reserved with a second step', async () => {
  const port = await freePort()
  const { daemon, folder, get, close } = await nameDaemon({
    NAMEAUTH_CONSOLE: 'on',
    NAMEAUTH_CONSOLE_BIND: `127.0.0.1:${port}`,
  })
  try {
    await daemon.start()
    const base = `http://localhost:${port}`
    const { url } = await makeSignInLink(
      { path: join(folder, 'console.db'), url: base },
      { name: 'anna', role: 'operator' },
    )
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const entered = await fetch(url, { method: 'POST', headers: form })
    const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const ask = async (path: string, fields?: Readonly<Record<string, string>>) =>
      (
        await fetch(`${base}${path}`, {
          headers: { cookie, accept: 'text/html', ...(fields && form) },
          ...(fields && { method: 'POST', body: new URLSearchParams(fields).toString() }),
        })
      ).text()
    expect(await ask('/console/')).toContain('No name was claimed yet')
    const action = '/console/reserved/add'
    const asked = await ask(action, {
      ...formFields(await ask('/console/reserved'), action),
      name: 'harbour',
      reason: 'ours',
    })
    expect(asked).toContain('Reserve harbour?')
    expect(await ask(action, formFields(asked, action))).toContain('harbour is reserved.')
    expect(await (await get('/api/v1/name/harbour')).json()).toMatchObject({ reason: 'reserved' })
  } finally {
    await close()
  }
})
