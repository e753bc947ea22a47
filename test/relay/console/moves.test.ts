// The page of exports and imports: what it shows, who may start and stop, and what forms refuse.
import { expect, onTestFinished, test } from 'vitest'
import { createMoveArea } from '../../../src/relay/console/index.js'
import { duration, shareOf } from '../../../src/relay/console/moving/page.js'
import { formFields, openTestConsole } from '../../support/console-app.js'
import { aFile, aMove, anImport, createFakeMoves, FOLDER } from '../../support/fake-moves.js'
import { NOON } from '../../support/till-builders.js'

const PAGE = '/console/relay/moves'
const [EXPORT, IMPORT, STOP] = [`${PAGE}/export`, `${PAGE}/import`, `${PAGE}/stop`]
const HOSTILE = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>{{7*7}}<%= 7 %>`

async function openPages() {
  const moves = createFakeMoves()
  const console = await openTestConsole({ areas: [createMoveArea(moves)] })
  onTestFinished(console.remove)
  return { moves, console }
}

const refreshes = (body: string): boolean => body.includes('http-equiv="refresh"')

test('idle: forms for an operator, none for a viewer; it does not refresh itself while something can be typed', async () => {
  const { moves, console } = await openPages()
  moves.filesNow = [aFile('strfry.jsonl'), aFile('events-20261122-101010.jsonl.part', { isWhole: false })]
  const operator = await console.signIn()
  const { body } = await operator.get(PAGE)
  for (const text of [FOLDER, '48.2 MB', 'not finished', '<option value="strfry.jsonl">', 'No export or import'])
    expect(body).toContain(text)
  expect(body).not.toContain('<option value="events-20261122-101010.jsonl.part">')
  expect(refreshes(body)).toBe(false)
  expect(body).not.toMatch(/ style=|<script(?! type="module" src=)| on[a-z]+=|undefined/)
  const viewer = await console.signIn('viewer')
  const seen = (await viewer.get(PAGE)).body
  expect(seen).toContain('strfry.jsonl')
  expect(seen).not.toMatch(/action="\/console\/relay|relay\/moves\/file/)
})

test('an export under way: amounts, pace and time left, and the page refreshes itself', async () => {
  const { moves, console } = await openPages()
  moves.movesNow = [aMove()]
  const { body } = await (await console.signIn()).get(PAGE)
  for (const text of [
    '25 %',
    '30,000',
    'of about 120,000',
    '12.0 MB',
    '>500<',
    '3 min',
    'value="25"',
    'Stop the export',
  ])
    expect(body).toContain(text)
  expect(refreshes(body)).toBe(true)
  expect(body).not.toContain(`action="${EXPORT}"`)
})

test('an import under way: stored, known, refused by reason; stopping says that what is stored stays', async () => {
  const { moves, console } = await openPages()
  moves.movesNow = [anImport()]
  const person = await console.signIn('operator', 'anna')
  const { body } = await person.get(PAGE)
  for (const text of ['29,000', '700', 'of 100 MB', 'this relay accepts public notes only', 'What is stored stays'])
    expect(body).toContain(text)
  const answer = await person.submit(PAGE, STOP)
  expect([answer.statusCode, moves.done]).toEqual([303, [['stop', String(NOON), '']]])
  const after = (await person.get(String(answer.headers.location))).body
  expect(after).toContain('It stops …')
  expect(after).not.toContain(`action="${STOP}"`)
  expect((await console.store.auditPage(1)).items[0]).toMatchObject({
    ...{ person: 'anna', action: 'relay.move.stop', object: 'strfry.jsonl', outcome: 'done' },
  })
})

test('the last results: reasons, the first refused lines, and what to do about a failure', async () => {
  const { moves, console } = await openPages()
  const problem = { code: 'CONSOLE_MOVE_RELAY', text: 'the relay did not take the events', hint: 'check that it runs' }
  moves.movesNow = [
    anImport({ state: 'failed', endedAt: NOON, problem }),
    aMove({ id: '2', state: 'done', endedAt: NOON, events: 120_000 }),
    aMove({ id: '3', state: 'stopped', endedAt: NOON }),
  ]
  const { body } = await (await console.signIn('viewer')).get(PAGE)
  for (const text of [
    ...['CONSOLE_MOVE_RELAY', 'check that it runs', '29,000 stored, 700 known before, 100 outdated, 200 refused.'],
    ...['120,000 events, 12.0 MB.', 'The unfinished file was removed after 30,000 events.', 'import the file again'],
  ])
    expect(body).toContain(text)
  expect(body).toMatch(/<td[^>]*>17<\/td>\s*<td[^>]*>blocked: this relay/)
})

test('an export starts with kinds and days, and is audited', async () => {
  const { moves, console } = await openPages()
  const person = await console.signIn('operator', 'anna')
  const fields = { kinds: '0, 10002 10050,0', since: '2026-11-01', until: '2026-11-02' }
  const answer = await person.submit(PAGE, EXPORT, fields)
  const order = { kinds: [0, 10_002, 10_050], since: 1_793_491_200, until: 1_793_491_200 + 2 * 86_400 - 1 }
  expect([answer.statusCode, moves.done]).toEqual([303, [['export', order, 'anna']]])
  expect((await console.store.auditPage(1)).items[0]).toMatchObject({
    ...{ action: 'relay.export', outcome: 'done', values: fields },
  })
})

test.each([
  [{ kinds: '1, note' }, '"note" is not a kind'],
  [{ kinds: '65536' }, '"65536" is not a kind'],
  [{ kinds: Array.from({ length: 51 }, (_, kind) => kind).join(' ') }, 'At most 50 kinds, not 51'],
  [{ since: '2026-02-30' }, '"2026-02-30" is not a day'],
  [{ since: 'yesterday' }, '"yesterday" is not a day'],
  [{ since: '2026-11-02', until: '2026-11-01' }, '2026-11-02, lies after the last day, 2026-11-01'],
])('an export of %j is refused by name', async (fields, text) => {
  const { moves, console } = await openPages()
  const answer = await (await console.signIn()).submit(PAGE, EXPORT, fields)
  expect([answer.statusCode, moves.done]).toEqual([400, []])
  expect(answer.body.replaceAll('&quot;', '"')).toContain(text)
})

test('an import has a second step, which counts for the file as it was shown', async () => {
  const { moves, console } = await openPages()
  const person = await console.signIn('operator', 'anna')
  const asked = await person.submit(PAGE, IMPORT, { file: 'strfry.jsonl' })
  expect([asked.statusCode, moves.done]).toEqual([200, []])
  expect(asked.body).toContain('What it stores stays')
  moves.filesNow = [aFile('strfry.jsonl', { bytes: 7 })]
  const again = await person.post(IMPORT, formFields(asked.body, IMPORT))
  expect(again.body).toContain('has changed since you looked')
  const answer = await person.post(IMPORT, formFields(again.body, IMPORT))
  expect([answer.statusCode, moves.done]).toEqual([303, [['import', 'strfry.jsonl', 'anna']]])
  expect((await console.store.auditPage(1)).items[0]).toMatchObject({
    ...{ action: 'relay.import', object: 'strfry.jsonl', outcome: 'done' },
  })
})

test('no file, one that is not listed, one that went away, and a second job are refused', async () => {
  const { moves, console } = await openPages()
  const person = await console.signIn()
  const form = formFields((await person.get(PAGE)).body, IMPORT)
  expect((await person.post(IMPORT, form)).body).toContain('Choose a file.')
  for (const file of ['none.jsonl', '../relay.db', '/etc/passwd']) {
    const { statusCode, body } = await person.post(IMPORT, { ...form, file })
    expect([statusCode, body.includes('CONSOLE_MOVE_FILE'), body.includes(file)]).toEqual([404, true, true])
  }
  const asked = await person.post(IMPORT, { ...form, file: 'strfry.jsonl' })
  moves.filesNow = []
  expect((await person.post(IMPORT, formFields(asked.body, IMPORT))).statusCode).toBe(404)
  const exporting = formFields((await person.get(PAGE)).body, EXPORT)
  moves.movesNow = [anImport()]
  const { statusCode, body } = await person.post(EXPORT, exporting)
  expect([statusCode, body.includes('An import is under way: strfry.jsonl')]).toEqual([409, true])
  expect(moves.movesNow).toHaveLength(1)
})

test('a viewer and a cashier start, stop and download nothing', async () => {
  const { moves, console } = await openPages()
  for (const role of ['viewer', 'cashier'] as const) {
    const person = await console.signIn(role)
    for (const path of [EXPORT, IMPORT, STOP]) expect((await person.post(path)).statusCode).toBe(403)
    expect((await person.get(`${PAGE}/file?name=strfry.jsonl`)).statusCode).toBe(403)
  }
  const cashier = await console.signIn('cashier')
  for (const path of [PAGE, `${PAGE}/live`]) expect((await cashier.get(path)).statusCode).toBe(403)
  expect(moves.done).toEqual([])
})

test('a whole file is downloaded under its name; others are errors', async () => {
  const { moves, console } = await openPages()
  const { get } = await console.signIn()
  expect((await get(PAGE)).body).toContain('href="/console/relay/moves/file?name=strfry.jsonl"')
  const { headers, body } = await get(`${PAGE}/file?name=strfry.jsonl`)
  expect(headers).toMatchObject({
    'content-disposition': 'attachment; filename="strfry.jsonl"',
    'content-type': 'application/x-ndjson; charset=utf-8',
  })
  expect(body).toBe('{"one":1}\n"strfry.jsonl\\n"')
  expect((await get(`${PAGE}/file?name=none.jsonl`)).statusCode).toBe(404)
  expect((await get(`${PAGE}/file?name=${encodeURIComponent('../relay.db')}`)).statusCode).toBe(400)
  moves.filesNow = [aFile('a file.jsonl')]
  expect((await get(PAGE)).body).not.toContain('moves/file?')
})

test('what files are called and relays answer is text', async () => {
  const { moves, console } = await openPages()
  const problem = { code: 'CONSOLE_MOVE_RELAY', text: HOSTILE, hint: HOSTILE }
  moves.filesNow = [aFile(HOSTILE)]
  const person = await console.signIn('operator', 'anna')
  for (const move of [
    anImport({ file: HOSTILE }, HOSTILE),
    anImport({ problem, endedAt: NOON, state: 'failed' }, HOSTILE),
  ]) {
    moves.movesNow = [move]
    expect((await person.get(PAGE)).body).not.toMatch(/<script>|<img src=x|"'>/)
  }
  const asked = await person.submit(PAGE, IMPORT, { file: HOSTILE })
  expect(asked.statusCode).toBe(200)
  expect(asked.body).not.toMatch(/<script>|<img src=x|"'>/)
})

test('a hundred long names stay a small page', async () => {
  const { moves, console } = await openPages()
  moves.filesNow = Array.from({ length: 100 }, (_, at) => aFile(`${at}-${'x'.repeat(240)}`))
  moves.isCutNow = true
  const { body } = await (await console.signIn()).get(PAGE)
  expect(body).toContain('only some of its many files are listed')
  expect(body.length).toBeLessThan(120_000)
})

test('the share that is done, and durations', () => {
  expect([shareOf(aMove()), shareOf(anImport()), shareOf(aMove({ totalEvents: null }))]).toEqual([0.25, 0.25, null])
  expect([shareOf(aMove({ totalEvents: 0 })), shareOf(aMove({ totalEvents: 1 }))]).toEqual([null, 1])
  expect([0.4, 12.3, 119, 180, 7199, 7500].map(duration)).toEqual([
    ...['under 1 s', '12 s', '119 s', '3 min', '2 h 0 min', '2 h 5 min'],
  ])
})
