// The pages of a name authority: what they show, who may change what, and that nothing people write is markup.
import { expect, onTestFinished, test } from 'vitest'
import { createNamesArea } from '../../../../src/console/index.js'
import type { NameDesk } from '../../../../src/console/pages/names/desk.js'
import { formFields, openTestConsole } from '../../../support/console-app.js'
import { aName, anOffer, BEN, createFakeNameDesk } from '../../../support/fake-name-desk.js'

async function openPages(desk: NameDesk) {
  const console = await openTestConsole({ areas: [createNamesArea(desk)] })
  onTestFinished(console.remove)
  return console
}

const PATHS = [
  '/console/names',
  '/console/names?q=har&show=held',
  '/console/names/harbour',
  '/console/names/bakery.shop',
  '/console/names/chandlery',
  '/console/names/support',
  '/console/names/nothing',
  '/console/reserved',
  '/console/offers',
  '/console/offers?show=all',
  `/console/offers/${'e'.repeat(64)}`,
]

const HOSTILE = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>{{7*7}}<%= 7 %>`

test('every page answers a viewer, small, without forms that change something and without inline style or script', async () => {
  const { get } = await (await openPages(createFakeNameDesk())).signIn('viewer')
  for (const path of PATHS) {
    const { statusCode, body } = await get(path)
    expect([path, statusCode]).toEqual([path, 200])
    expect(body).not.toMatch(/ style=|<script(?! type="module" src=)| on[a-z]+=/)
    expect(body).not.toContain('undefined')
    expect(body).not.toMatch(/action="\/console\/(?:names|reserved)\/.*"/)
    expect([path, Buffer.byteLength(body) < 60_000]).toEqual([path, true])
  }
})

test('what people write is text', async () => {
  const desk = createFakeNameDesk(HOSTILE, {
    name: async (name) => ({
      ...(await createFakeNameDesk(HOSTILE).name('support')),
      name,
      why: HOSTILE,
      state: 'invalid',
    }),
  })
  desk.rows.set('x', aName({ name: 'x', holder: { hex: 'a'.repeat(64), npub: HOSTILE } }))
  const { get } = await (await openPages(desk)).signIn()
  const query = encodeURIComponent(HOSTILE)
  for (const path of [...PATHS, `/console/names?q=${query}`, `/console/names/${query}`]) {
    const { body } = await get(path)
    expect(body).not.toMatch(/<script>|<img src=x|onerror=alert\(1\)>/)
    expect(body).not.toContain('"\'>')
  }
  expect((await get('/console/reserved')).body).toContain('&lt;script&gt;alert(1)')
})

test('a page of fifty names is small, and leads to the next one', async () => {
  const desk = createFakeNameDesk()
  for (let i = 0; i < 60; i++) desk.rows.set(`n${i}`, aName({ name: `n${i}`.padEnd(20, '-x') }))
  const { get } = await (await openPages(desk)).signIn()
  const { body } = await get('/console/names?show=held')
  expect(body.match(/<tr role="row">/g)).toHaveLength(51)
  expect(body).toContain('/console/names?show=held&amp;cursor=m')
  expect(Buffer.byteLength(body)).toBeLessThan(60_000)
})

test('a search takes a name with its domain, and leads to the page of a name that is not in the list', async () => {
  const { get } = await (await openPages(createFakeNameDesk())).signIn('viewer')
  const { body } = await get('/console/names?q=Harbo@acme.example')
  expect(body).toContain('>harbour</a>')
  expect(body).toContain('<a href="/console/names/harbo">Is harbo free?</a>')
  expect((await get('/console/names?q=harbour')).body).not.toContain('free?')
})

test('offers say how far they are, and what proved a sale', async () => {
  const desk = createFakeNameDesk()
  desk.offered.push(anOffer({ id: 'c'.repeat(64), name: 'odd', state: 'revoked', endedAt: 1 }))
  const { get } = await (await openPages(desk)).signIn('viewer')
  const open = (await get('/console/offers')).body
  expect([open.includes('>open<'), open.includes('>expired<'), open.includes('>sold<')]).toEqual([true, true, false])
  expect((await get('/console/offers?show=consumed')).body).toContain('kernel 0909')
  const sold = (await get(`/console/offers/${'e'.repeat(64)}`)).body
  expect(sold).toContain('<span class="tag good">proved</span>')
  expect((await get(`/console/offers/${'f'.repeat(64)}`)).body).toContain('No payment proof was accepted yet.')
  for (const id of ['x', '0'.repeat(64)])
    expect((await get(`/console/offers/${id}`)).body).toContain('CONSOLE_NO_OFFER')
})

test('a change asks for a reason, shows the facts, and is done once it is confirmed', async () => {
  const desk = createFakeNameDesk()
  const pages = await openPages(desk)
  const anna = await pages.signIn('operator', 'anna')
  const action = '/console/names/harbour/suspend'
  const asked = await anna.submit('/console/names/harbour', action, { reason: 'report <17>' })
  expect([asked.statusCode, desk.done]).toEqual([200, []])
  expect(asked.body).toContain('Suspend harbour?')
  expect(asked.body).toContain('report &lt;17&gt;')
  expect(asked.body).toContain(`npub1${'a'.repeat(52)}`)
  const done = await anna.post(action, { ...formFields(asked.body, action), reason: 'report <17>' })
  expect([done.statusCode, desk.done]).toEqual([303, ['suspend harbour: report <17>']])
  expect(done.headers.location).toMatch(/^\/console\/names\/harbour\?said=/)
  const [entry] = (await pages.store.auditPage(1)).items
  expect(entry).toMatchObject({
    person: 'anna',
    action: 'name.suspend',
    object: 'harbour',
    values: { reason: 'report <17>' },
    outcome: 'done',
  })
})

const CHANGES = [
  ['/console/names/bakery.shop', '/console/names/bakery.shop/lift', {}, 'lift bakery.shop: why'],
  [
    '/console/names/harbour',
    '/console/names/harbour/evict',
    { reserve: 'on' },
    'evict harbour from aaaa and reserve: why',
  ],
  ['/console/names/harbour', '/console/reserved/add', {}, 'reserve harbour: why'],
  ['/console/reserved', '/console/reserved/add', { name: 'press' }, 'reserve press: why'],
  ['/console/names/support', '/console/names/support/unreserve', {}, 'unreserve support: why'],
] as const

test.each(CHANGES)('from %s: %s', async (page, action, fields, done) => {
  const desk = createFakeNameDesk()
  const anna = await (await openPages(desk)).signIn()
  const asked = await anna.submit(page, action, { ...fields, reason: 'why' })
  await anna.post(action, formFields(asked.body, action))
  expect(desk.done).toEqual([done])
})

test.each([
  [{ reason: '' }, 'say why'],
  [{ reason: 'two\nlines' }, 'the reason must be one line without hidden characters'],
  [{ reason: 'no \u202eharm' }, 'the reason must be one line without hidden characters'],
  [{ reason: 'x'.repeat(201) }, 'reason may have 200 characters'],
])('a reason of %j is refused', async (fields, why) => {
  const desk = createFakeNameDesk()
  const anna = await (await openPages(desk)).signIn()
  const { statusCode, body } = await anna.submit('/console/names/harbour', '/console/names/harbour/suspend', fields)
  expect([statusCode, desk.done]).toEqual([400, []])
  expect(body).toContain(why[0]?.toUpperCase() + why.slice(1))
})

test('a name that changed hands since the page was read is not taken from its new holder', async () => {
  const desk = createFakeNameDesk()
  const { get, post } = await (await openPages(desk)).signIn()
  const action = '/console/names/harbour/evict'
  const fields = { ...formFields((await get('/console/names/harbour')).body, action), reason: 'why' }
  const asked = await post(action, fields)
  desk.rows.set('harbour', aName({ holder: BEN }))
  const late = await post(action, { ...formFields(asked.body, action) })
  expect([late.statusCode, desk.done]).toEqual([409, []])
  expect(late.body).toContain('held by another key')
})

test('facts that changed between the steps are asked again; what is done already is refused', async () => {
  const desk = createFakeNameDesk()
  const anna = await (await openPages(desk)).signIn()
  const action = '/console/names/harbour/suspend'
  const asked = await anna.submit('/console/names/harbour', action, { reason: 'why' })
  desk.rows.set('harbour', aName({ holder: BEN }))
  const again = await anna.post(action, formFields(asked.body, action))
  expect([again.statusCode, desk.done]).toEqual([200, []])
  expect(again.body).toContain('has changed since you looked')
  desk.rows.set('harbour', aName({ state: 'suspended' }))
  const late = await anna.post(action, formFields(asked.body, action))
  expect([late.statusCode, desk.done]).toEqual([409, []])
})

test('viewers change nothing, cashiers see nothing', async () => {
  const desk = createFakeNameDesk()
  const pages = await openPages(desk)
  const viewer = await pages.signIn('viewer')
  const cashier = await pages.signIn('cashier')
  for (const action of ['names/harbour/suspend', 'names/harbour/evict', 'names/support/unreserve', 'reserved/add'])
    expect([action, (await viewer.post(`/console/${action}`, { reason: 'why' })).statusCode]).toEqual([action, 403])
  for (const path of PATHS) expect([path, (await cashier.get(path)).statusCode]).toEqual([path, 403])
  expect(desk.done).toEqual([])
})
