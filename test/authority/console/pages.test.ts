// The pages of a name authority: what they show, who may change what, and that nothing people write is markup.
import { expect, onTestFinished, test } from 'vitest'
import { createNamesArea } from '../../../src/authority/console/index.js'
import { formatNpub } from '../../../src/nostr/nip19/index.js'
import { formFields, openTestConsole } from '../../support/console-app.js'
import { ANN, anOffer, openNamesWorld } from '../../support/names-world.js'
import { NOON } from '../../support/till-builders.js'

async function openPages(text?: string) {
  const world = await openNamesWorld(text)
  const pages = await openTestConsole({ areas: [createNamesArea(world.names)] })
  onTestFinished(async () => {
    await pages.remove()
    await world.remove()
  })
  return { ...pages, world }
}

const PATHS = [
  '/console/names',
  '/console/names?q=har&show=held',
  '/console/names/harbour',
  '/console/names/bakery.shop',
  '/console/names/chandlery',
  '/console/names/lighthouse',
  '/console/names/nothing',
  '/console/reserved',
  '/console/offers',
  '/console/offers?show=all',
  `/console/offers/${'e'.repeat(64)}`,
]

const HOSTILE = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>{{7*7}}<%= 7 %>`

test('every page answers a viewer, small, without forms that change something and without inline style or script', async () => {
  const { get } = await (await openPages()).signIn('viewer')
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
  const { get } = await (await openPages(HOSTILE)).signIn()
  const query = encodeURIComponent(HOSTILE)
  for (const path of [...PATHS, `/console/names?q=${query}`, `/console/names/${query}`]) {
    const { body } = await get(path)
    expect(body).not.toMatch(/<script>|<img src=x|onerror=alert\(1\)>/)
    expect(body).not.toContain('"\'>')
  }
  expect((await get('/console/reserved')).body).toContain('&lt;script&gt;alert(1)')
})

test('a page of fifty names is small, and leads to the next one', async () => {
  const { signIn, world } = await openPages()
  for (let i = 10; i < 70; i++) await world.claim(`n${i}${'-x'.repeat(8)}z`, `${i}`.repeat(32))
  const { get } = await signIn()
  const { body } = await get('/console/names?show=held')
  expect(body.match(/<tr role="row">/g)).toHaveLength(51)
  expect(body).toContain('/console/names?show=held&amp;cursor=n57-x-x-x-x-x-x-x-xz')
  expect(Buffer.byteLength(body)).toBeLessThan(60_000)
})

test('a search takes a name with its domain, and leads to the page of a name that is not in the list', async () => {
  const { get } = await (await openPages()).signIn('viewer')
  const { body } = await get('/console/names?q=Harbo@acme.example')
  expect(body).toContain('>harbour</a>')
  expect(body).toContain('<a href="/console/names/harbo">Is harbo free?</a>')
  expect((await get('/console/names?q=harbour')).body).not.toContain('free?')
})

test('offers say how far they are, and what proved a sale', async () => {
  const { signIn, world } = await openPages()
  await world.claim('odd', 'c0'.repeat(32))
  await world.store.createOffer(anOffer({ id: 'c'.repeat(64), name: 'odd', seller: 'c0'.repeat(32) }))
  await world.store.endOffer('c'.repeat(64), { status: 'revoked', endHeight: null, now: NOON })
  const { get } = await signIn('viewer')
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
  const pages = await openPages()
  const { done } = pages.world
  const anna = await pages.signIn('operator', 'anna')
  const action = '/console/names/harbour/suspend'
  const asked = await anna.submit('/console/names/harbour', action, { reason: 'report <17>' })
  expect([asked.statusCode, await done()]).toEqual([200, []])
  expect(asked.body).toContain('Suspend harbour?')
  expect(asked.body).toContain('report &lt;17&gt;')
  expect(asked.body).toContain(formatNpub(ANN))
  const answer = await anna.post(action, { ...formFields(asked.body, action), reason: 'report <17>' })
  expect([answer.statusCode, await done()]).toEqual([303, ['suspend harbour: report <17>']])
  expect(answer.headers.location).toMatch(/^\/console\/names\/harbour\?said=/)
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
  ['/console/names/bakery.shop', '/console/names/bakery.shop/lift', {}, ['resume bakery.shop: why']],
  [
    '/console/names/harbour',
    '/console/names/harbour/evict',
    { reserve: 'on' },
    ['evict harbour: why', 'reserve harbour: why'],
  ],
  ['/console/names/harbour', '/console/reserved/add', {}, ['reserve harbour: why']],
  ['/console/reserved', '/console/reserved/add', { name: 'press' }, ['reserve press: why']],
  ['/console/names/lighthouse', '/console/names/lighthouse/unreserve', {}, ['unreserve lighthouse: why']],
] as const

test.each(CHANGES)('from %s: %s', async (page, action, fields, done) => {
  const { signIn, world } = await openPages()
  const anna = await signIn()
  const asked = await anna.submit(page, action, { ...fields, reason: 'why' })
  await anna.post(action, formFields(asked.body, action))
  expect(await world.done()).toEqual(done)
})

test.each([
  [{ reason: '' }, 'say why'],
  [{ reason: 'two\nlines' }, 'the reason must be one line without hidden characters'],
  [{ reason: 'no \u202eharm' }, 'the reason must be one line without hidden characters'],
  [{ reason: 'x'.repeat(201) }, 'reason may have 200 characters'],
])('a reason of %j is refused', async (fields, why) => {
  const { signIn, world } = await openPages()
  const anna = await signIn()
  const { statusCode, body } = await anna.submit('/console/names/harbour', '/console/names/harbour/suspend', fields)
  expect([statusCode, await world.done()]).toEqual([400, []])
  expect(body).toContain(why[0]?.toUpperCase() + why.slice(1))
})

test('a name that changed hands since the page was read is not taken from its new holder', async () => {
  const { signIn, world } = await openPages()
  const { get, post } = await signIn()
  const action = '/console/names/harbour/evict'
  const fields = { ...formFields((await get('/console/names/harbour')).body, action), reason: 'why' }
  const asked = await post(action, fields)
  await world.hand('harbour', '9'.repeat(64))
  const late = await post(action, { ...formFields(asked.body, action) })
  expect([late.statusCode, await world.done()]).toEqual([409, ['evict harbour: test']])
  expect(late.body).toContain('held by another key')
})

test('facts that changed between the steps are asked again; what is done already is refused', async () => {
  const { signIn, world } = await openPages()
  const anna = await signIn()
  const action = '/console/names/harbour/suspend'
  const asked = await anna.submit('/console/names/harbour', action, { reason: 'why' })
  await world.hand('harbour', '9'.repeat(64))
  const again = await anna.post(action, formFields(asked.body, action))
  expect([again.statusCode, await world.done()]).toEqual([200, ['evict harbour: test']])
  expect(again.body).toContain('has changed since you looked')
  await world.store.suspend('harbour', { suspended: true, reason: 'test', now: NOON })
  const late = await anna.post(action, formFields(asked.body, action))
  expect([late.statusCode, await world.done()]).toEqual([409, ['evict harbour: test', 'suspend harbour: test']])
})

test('viewers change nothing, cashiers see nothing', async () => {
  const pages = await openPages()
  const viewer = await pages.signIn('viewer')
  const cashier = await pages.signIn('cashier')
  for (const action of ['names/harbour/suspend', 'names/harbour/evict', 'names/lighthouse/unreserve', 'reserved/add'])
    expect([action, (await viewer.post(`/console/${action}`, { reason: 'why' })).statusCode]).toEqual([action, 403])
  for (const path of PATHS) expect([path, (await cashier.get(path)).statusCode]).toEqual([path, 403])
  expect(await pages.world.done()).toEqual([])
})
