// The names of the console on a real names.db: in the authority's process, and beside it by its settings file; and the authority's own console.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createNamesArea, type NameAccess, namesOf } from '../../../src/authority/console/index.js'
import { makeSignInLink } from '../../../src/daemons/console-admin.js'
import { namesBeside } from '../../../src/daemons/parts/nameauth/names-beside.js'
import { formFields, openTestConsole } from '../../support/console-app.js'
import { ADA, ADA_NPUB, BOB, type NamesForCommands, NOON, namesForCommands } from '../../support/name-commands.js'
import { nameDaemon } from '../../support/name-daemon.js'
import { freePort } from '../../support/till-process.js'
import { codeOf } from '../../support/vectors.js'

let at: NamesForCommands
beforeEach(async () => {
  at = await namesForCommands()
})
afterEach(() => at.close())

const clock = { now: () => NOON }
const names = { domain: 'names.example.org', nameMin: 3, nameMax: 20, reserved: [] }
const reason = 'because'

const PLACES: Readonly<Record<string, () => NameAccess>> = {
  'in the process of the authority': () => namesOf({ store: at.store, clock, names }),
  'beside it': () => namesBeside(at.envFile),
}

/** The names that the list shows, and what is behind its pages. */
async function pageOf(access: NameAccess) {
  const site = await openTestConsole({ areas: [createNamesArea(access)] })
  const { get } = await site.signIn('viewer')
  onTestFinished(site.remove)
  return {
    async found(text: string, show = 'all'): Promise<readonly string[]> {
      const { body } = await get(`/console/names?q=${text}&show=${show}`)
      return [...body.matchAll(/<td[^>]*><a href="\/console\/names\/([^"]+)"/g)].map(([, name = '']) => name)
    },
    get,
  }
}

const statusOf = (access: NameAccess, name: string) => access.read(({ rows }) => rows.status(name))

describe.each(Object.entries(PLACES))('%s', (_where, open) => {
  test('names are listed by beginning, key and state, and each has its facts', async () => {
    const access = open()
    await at.claim('harbour', ADA)
    await at.claim('harvest', BOB)
    await access.edit((admin) => admin.suspend('harvest', { reason, suspended: true }))
    const { found } = await pageOf(access)
    expect(await found('har')).toEqual(['harbour', 'harvest'])
    expect([await found(ADA_NPUB), await found(BOB, 'held')]).toEqual([['harbour'], ['harvest']])
    expect([await found('', 'suspended'), await found('harb', 'suspended')]).toEqual([['harvest'], []])
    await access.edit((admin) => admin.evict('harbour', { reason, holder: ADA, reserve: false }))
    expect([await found('', 'held'), await found('', 'released')]).toEqual([['harvest'], ['harbour']])
    expect(await access.read(async (_admin, domain) => domain)).toBe('names.example.org')
    expect(await statusOf(access, 'harvest')).toMatchObject({
      state: 'suspended',
      record: { pubkey: BOB, createdAt: NOON, suspendedAt: expect.any(Number) },
      reserved: null,
    })
    expect(await codeOf(() => statusOf(access, '-'))).toBe('NAME_UNUSABLE')
  })

  test('every change is in the history with its reason', async () => {
    const { read, edit } = open()
    await at.claim('harbour', ADA)
    const suspend = (suspended: boolean) => edit((admin) => admin.suspend('harbour', { reason, suspended }))
    const history = (page: { limit: number; cursor?: string }) =>
      read(({ rows }) => rows.history({ name: 'harbour' }, page))
    expect(await suspend(true)).toMatchObject({ name: 'harbour', changed: true })
    expect(await suspend(true)).toMatchObject({ changed: false })
    await suspend(false)
    await edit((admin) => admin.evict('harbour', { reason, holder: ADA, reserve: true }))
    expect((await read(({ rows }) => rows.reserved({ limit: 5 }))).items).toMatchObject([{ name: 'harbour', reason }])
    await edit((admin) => admin.unreserve('harbour', reason))
    expect(await edit((admin) => admin.reserve('Quay', 'ours'))).toMatchObject({ name: 'quay', changed: true })
    const { items, next } = await history({ limit: 6 })
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
    expect(items[2]).toMatchObject({ reason, pubkey: ADA })
    expect((await history({ limit: 2, cursor: String(items[1]?.id) })).items).toHaveLength(2)
  })

  test('what the authority refuses is refused, and nothing is changed', async () => {
    const access = open()
    await at.claim('harbour', ADA)
    const refusalOf = (work: Parameters<NameAccess['edit']>[0]) => codeOf(() => access.edit(work))
    expect(await refusalOf((admin) => admin.evict('harbour', { reason, holder: BOB, reserve: true }))).toBe(
      'HOLDER_CHANGED',
    )
    expect(await refusalOf((admin) => admin.suspend('nobody', { reason, suspended: true }))).toBe('NAME_NOT_HELD')
    expect(await refusalOf((admin) => admin.unreserve('harbour', reason))).toBe('NAME_NOT_RESERVED')
    expect(await refusalOf((admin) => admin.unreserve('admin', reason))).toBe('NAME_RESERVED_ELSEWHERE')
    expect(await statusOf(access, 'harbour')).toMatchObject({ state: 'active', reserved: null })
    expect(await statusOf(access, 'admin')).toMatchObject({ state: 'reserved', reserved: { by: 'built-in' } })
  })

  test('an offer is found by state, and its sale with the kernel that proved it', async () => {
    const access = open()
    const { get } = await pageOf(access)
    const listed = (status: 'live' | 'consumed') =>
      access.read(async ({ rows }) => (await rows.offers({ status }, { limit: 5 })).items)
    const find = (id: string) => access.read(({ rows }) => rows.offer(id))
    await at.claim('harbour', ADA)
    const { id } = await at.offer('harbour')
    expect(await listed('live')).toMatchObject([{ id, status: 'live' }])
    expect((await find(id))?.sale).toBeUndefined()
    expect((await get('/console/names/harbour')).body).toContain(`href="/console/offers/${id}"`)
    const kernelExcess = '09'.repeat(33)
    await at.store.transferName({ offerId: id, kernelExcess, kernelHeight: 7, now: NOON, cooldownMs: 0 })
    expect(await listed('live')).toEqual([])
    const offer = { id, status: 'consumed', stateChangedAt: NOON }
    expect(await listed('consumed')).toMatchObject([offer])
    expect(await find(id)).toMatchObject({ offer, sale: { kernelExcess, kernelHeight: 7, claimedAt: NOON } })
    expect(await find('0'.repeat(64))).toBeUndefined()
    expect((await get('/console/offers?show=consumed')).body).toContain(`title="kernel ${kernelExcess}"`)
  })
})

test('held names behind many released ones are on the first page', async () => {
  await at.claim('zulu', BOB)
  for (let i = 0; i < 210; i++) {
    const name = `n${i}`
    await at.claim(name, ADA)
    await at.store.releaseName({ name, pubkey: ADA, now: NOON, cooldownMs: 0 })
  }
  const { found, get } = await pageOf(namesOf({ store: at.store, clock, names }))
  expect(await found('', 'held')).toEqual(['zulu'])
  expect((await get('/console/names?show=held')).body).not.toContain('cursor=')
})

test('a page of held names goes on where it ended', async () => {
  const { read } = namesOf({ store: at.store, clock, names })
  const held = (page: { limit: number; cursor?: string }) => read(({ rows }) => rows.names({ status: 'active' }, page))
  for (const [i, name] of ['alpha', 'bravo', 'charlie'].entries()) await at.claim(name, `${i}`.repeat(64))
  const first = await held({ limit: 2 })
  expect([first.items.map(({ name }) => name), first.next]).toEqual([['alpha', 'bravo'], 'bravo'])
  const second = await held({ limit: 2, cursor: 'bravo' })
  expect([second.items.map(({ name }) => name), second.next]).toEqual([['charlie'], null])
})

test('settings or a database that are not there are said on the page, with what to do', async () => {
  const access = namesBeside(at.envFile)
  const refusal = () =>
    access
      .read(({ rows }) => rows.reserved({ limit: 1 }))
      .then(
        () => undefined,
        ({ code, message }) => ({ code, message }),
      )
  const code = 'CONSOLE_NAMES_UNREACHABLE'
  writeFileSync(at.envFile, `NAMEAUTH_DOMAIN=names.example.org\nNAMEAUTH_NAMES_DB=${join(at.folder, 'other.db')}\n`)
  expect(await refusal()).toEqual({ code, message: expect.stringContaining('other.db') })
  rmSync(at.envFile)
  expect(await refusal()).toEqual({ code, message: expect.stringContaining(at.envFile) })
  expect(await codeOf(() => access.edit((admin) => admin.reserve('harbour', reason)))).toBe(code)
})

test.each([
  ['NAMEAUTH_NAME_MIN', 'NAMEAUTH_NAME_MIN=many'],
  ['NAMEAUTH_NAME_MIN', 'NAMEAUTH_NAME_MIN=9\nNAMEAUTH_NAME_MAX=5'],
  ['NAMEAUTH_RESERVED_FILE', 'NAMEAUTH_RESERVED_FILE=/nowhere/reserved.txt'],
  ['NAMEAUTH_DOMAIN', 'NAMEAUTH_DOMAIN='],
  ['NAMEAUTH_DOMAIN', 'NAMEAUTH_DOMAIN=names.example.org:port'],
])('no answer about names is guessed while %s is wrong', async (setting, line) => {
  const access = namesBeside(at.envFile)
  expect(await statusOf(access, 'harbour')).toMatchObject({ state: 'free' })
  writeFileSync(at.envFile, `NAMEAUTH_DOMAIN=names.example.org\nNAMEAUTH_NAMES_DB=${at.dbPath}\n${line}\n`)
  const [read, edited] = await Promise.allSettled([
    statusOf(access, 'harbour'),
    access.edit((admin) => admin.reserve('harbour', reason)),
  ])
  const refusal = { code: 'CONSOLE_NAMES_UNREACHABLE', message: expect.stringContaining(setting) }
  expect([read, edited]).toMatchObject([{ reason: refusal }, { reason: refusal }])
  expect((await at.store.listReserved(1)).items).toEqual([])
})

test('settings that say nothing about names may be wrong', async () => {
  writeFileSync(
    at.envFile,
    `NAMEAUTH_DOMAIN=names.example.org\nNAMEAUTH_NAMES_DB=${at.dbPath}\nNAMEAUTH_NAMES_BIND=?\nNAMEAUTH_PAY_MODE=name\n`,
  )
  const access = namesBeside(at.envFile)
  expect(await statusOf(access, 'harbour')).toMatchObject({ state: 'free' })
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
