// The relay's pages in the console: what they show, who may change what, and that nothing clients or plugins write is markup.
import { expect, onTestFinished, test } from 'vitest'
import { createRelayArea } from '../../../src/relay/console/index.js'
import { formFields, openTestConsole } from '../../support/console-app.js'
import {
  ACTIVITY,
  BANNED,
  createFakeRelay,
  type FakeRelay,
  FIGURES,
  NPUB,
  STORED,
} from '../../support/fake-relay-view.js'
import { DAY, NOON } from '../../support/till-builders.js'

async function openPages({ open, mark }: FakeRelay) {
  const console = await openTestConsole({ areas: [createRelayArea(open, mark)] })
  onTestFinished(console.remove)
  return console
}

const ENTRY = `/console/relay/lists/entry?list=bannedKeys&entry=${BANNED.key}`
const PATHS = [
  '/console/relay/today',
  '/console/relay/lists',
  '/console/relay/lists?list=blockedAddresses',
  '/console/relay/lists?list=bannedEvents&q=ff',
  '/console/relay/lists?list=admins',
  ENTRY,
  `/console/relay/lists/entry?list=blockedAddresses&entry=${encodeURIComponent(BANNED.address)}`,
]
const HOSTILE = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>{{7*7}}<%= 7 %>`

test('every page answers, small and without an inline style or script', async () => {
  const { get } = await (await openPages(createFakeRelay())).signIn('viewer')
  for (const path of PATHS) {
    const { statusCode, body } = await get(path)
    expect([path, statusCode]).toEqual([path, 200])
    expect(body).not.toMatch(/ style=|<script(?! type="module" src=)| on[a-z]+=/)
    expect(body).not.toContain('undefined')
    expect([path, body.length < 60_000]).toEqual([path, true])
  }
})

test('the relay at a glance: figures, kinds, refusals, and the age of the count', async () => {
  const { get } = await (await openPages(createFakeRelay())).signIn('viewer')
  const { body } = await get('/console/relay/today')
  for (const text of ['1,843', '4.3', 'over the last 10 s', '1059 gift wrap', 'invalid: bad signature', '3,811'])
    expect(body).toContain(text)
  expect(body).toContain('4 minutes ago')
  expect(body).toContain('at most 365 days: all kinds but gift wraps; 2 authors are exempt')
  expect(body).toContain('<noscript><meta http-equiv="refresh" content="15">')
  expect(body).toMatch(
    /<td[^>]*>1059 gift wrap<\/td>\s*<td[^>]*>[\d,]+<\/td>\s*<td[^>]*>[\d,]+<\/td>\s*<td[^>]*>1,094,040</,
  )
})

test('what plugins answer and operators write is text', async () => {
  const relay = createFakeRelay(HOSTILE)
  const checks = [{ name: HOSTILE, ok: false, detail: HOSTILE, since: NOON - DAY, informative: false }]
  relay.activityNow = { ...ACTIVITY, checks, figures: { ...FIGURES, refusals: new Map([[HOSTILE, 3]]) } }
  relay.storedNow = { stored: undefined, problem: HOSTILE }
  relay.factsNow = { ...relay.factsNow, dbPath: HOSTILE }
  const person = await (await openPages(relay)).signIn()
  for (const path of [...PATHS, `/console/relay/lists?q=${encodeURIComponent(HOSTILE)}`])
    expect((await person.get(path)).body).not.toMatch(/<script>|<img src=x|"'>/)
  expect((await person.get('/console/relay/today')).body).toContain('&lt;script&gt;alert(1)')
  const add = (entry: string) =>
    person.submit('/console/relay/lists', '/console/relay/lists/add', { entry, reason: HOSTILE })
  const [asked, refused] = [await add('0'.repeat(64)), await add(HOSTILE.slice(0, 80))]
  expect([asked.statusCode, refused.statusCode]).toEqual([200, 400])
  for (const { body } of [asked, refused]) expect(body).not.toMatch(/<script>|<img src=x|"'>/)
})

test('a relay that is not ready says what fails; one that does not answer says so; one beside shows what is stored', async () => {
  const relay = createFakeRelay()
  const { get } = await (await openPages(relay)).signIn('viewer')
  const today = async () => (await get('/console/relay/today')).body
  expect(await today()).toMatch(/<h2 id="health">Ready/)
  const failing = { name: 'database', ok: false, detail: 'the disk is full', since: NOON - DAY, informative: false }
  relay.activityNow = { ...ACTIVITY, checks: [failing] }
  expect(await today()).toMatch(/<h2 id="health">Not ready/)
  expect(await today()).toContain('the disk is full')
  relay.activityNow = { ...ACTIVITY, checks: [{ ...failing, informative: true }] }
  expect(await today()).toMatch(/<h2 id="health">Ready/)
  relay.activityNow = {
    ...ACTIVITY,
    ...{ figures: undefined, past: undefined, rate: undefined, checks: undefined },
    unknown: 'Only stored figures are shown.',
  }
  const beside = await today()
  expect(beside).toMatch(/<h2 id="health">Not in reach/)
  expect(beside).toContain('Only stored figures are shown.')
  expect(beside).toContain('1,204,882')
  expect(beside).not.toContain('Events per second')
})

test('stored events that are not counted yet, or could not be, are no zeros', async () => {
  const relay = createFakeRelay()
  const { get } = await (await openPages(relay)).signIn('viewer')
  relay.storedNow = { stored: undefined, problem: undefined }
  const waiting = (await get('/console/relay/today')).body
  expect(waiting).toContain('are being counted')
  expect(waiting).not.toContain('>Stored<')
  relay.storedNow = { ...STORED, problem: 'disk I/O error' }
  expect((await get('/console/relay/today')).body).toContain('could not be counted: disk I/O error')
})

test('a hundred kinds are twenty rows and their sum', async () => {
  const relay = createFakeRelay()
  const kinds = Array.from({ length: 100 }, (_, kind) => ({ kind: kind + 100, events: 10 }))
  relay.storedNow = { ...STORED, stored: STORED.stored && { ...STORED.stored, kinds } }
  relay.activityNow = { ...ACTIVITY, figures: { ...FIGURES, kinds: new Map() } }
  const { body } = await (await (await openPages(relay)).signIn('viewer')).get('/console/relay/today')
  expect(body).toMatch(/80 more kinds<\/td>(\s*<td[^>]*>[\d,]+<\/td>)*?\s*<td[^>]*>800<\/td>/)
})

test('a viewer is offered no change, and a cashier sees none of it', async () => {
  const console = await openPages(createFakeRelay())
  const viewer = await console.signIn('viewer')
  for (const path of PATHS) expect((await viewer.get(path)).body).not.toContain('action="/console/relay/lists/')
  expect((await viewer.post('/console/relay/lists/add', { list: 'bannedKeys', entry: NPUB })).statusCode).toBe(403)
  const cashier = await console.signIn('cashier')
  for (const path of [...PATHS, '/console/relay/live']) expect((await cashier.get(path)).statusCode).toBe(403)
})

const CHANGES = [
  ['add', '/console/relay/lists?list=blockedAddresses', { entry: '203.0.113.0/24' }, 'blockedAddresses'],
  ['remove', ENTRY, {}, 'bannedKeys'],
] as const

test.each(CHANGES)(
  '%s: a reason, a second step, then the change and its audit entry',
  async (verb, page, fields, list) => {
    const relay = createFakeRelay()
    const console = await openPages(relay)
    const person = await console.signIn('operator', 'anna')
    const action = `/console/relay/lists/${verb}`
    expect((await person.submit(page, action, fields)).body).toContain('CONSOLE_RELAY_REASON')
    const hidden = { ...fields, reason: 'no \u202eharm' }
    expect((await person.submit(page, action, hidden)).statusCode).toBe(400)
    const asked = await person.submit(page, action, { ...fields, reason: 'a flood' })
    expect([asked.statusCode, relay.done]).toEqual([200, []])
    expect(asked.body).toContain('a flood')
    const answer = await person.post(action, formFields(asked.body, action))
    const entry = 'entry' in fields ? fields.entry : BANNED.key
    expect([answer.statusCode, relay.done]).toEqual([
      303,
      [{ do: verb, list, entry, reason: 'a flood', by: 'console: anna' }],
    ])
    expect((await person.get(String(answer.headers.location))).body).toContain('class="flash good"')
    expect((await console.store.auditPage(1)).items[0]).toMatchObject({
      ...{ person: 'anna', action: `relay.list.${verb}`, object: entry, outcome: 'done' },
      values: { list, reason: 'a flood' },
    })
  },
)

test('when somebody else changed the entry between the two steps, it is asked again', async () => {
  const relay = createFakeRelay()
  const person = await (await openPages(relay)).signIn()
  const action = '/console/relay/lists/remove'
  const asked = await person.submit(ENTRY, action, { reason: 'made up' })
  const before = relay.bannedKeys.get(BANNED.key)
  if (before) relay.bannedKeys.set(BANNED.key, { ...before, reason: 'court order' })
  const answer = await person.post(action, formFields(asked.body, action))
  expect(answer.body).toContain('has changed since you looked')
  relay.bannedKeys.delete(BANNED.key)
  expect((await person.post(action, formFields(answer.body, action))).statusCode).toBe(404)
  expect(relay.done).toEqual([])
})

test.each([
  '/console/relay/lists/entry',
  '/console/relay/lists/entry?list=info&entry=name',
  `/console/relay/lists/entry?list=bannedKeys&entry=${'0'.repeat(64)}`,
])('%s is a page that says so', async (path) => {
  const { statusCode, body } = await (await (await openPages(createFakeRelay())).signIn()).get(path)
  expect(statusCode).toBe(404)
  expect(body).toContain('CONSOLE_RELAY_ENTRY')
})
