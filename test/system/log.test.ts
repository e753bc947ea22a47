import { expect, test } from 'vitest'
import { Secret } from '../../src/lib/secret.js'
import { openLog } from '../../src/system/index.js'

const TOKEN = 'A'.repeat(43)

async function logged(write: (log: Awaited<ReturnType<typeof openLog>>) => void, human = false): Promise<string> {
  let text = ''
  write(await openLog({ human, write: (line) => (text += line) }))
  return text
}

test('a line is JSON with a word as level and an ISO time', async () => {
  const line = JSON.parse(await logged((log) => log.info({ part: 'http' }, 'started')))
  expect(line).toMatchObject({ level: 'info', part: 'http', msg: 'started' })
  expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT/)
})

test.each([
  ['a bearer header', { headers: { authorization: 'Bearer pay_live_0123' } }, 'pay_live_0123'],
  ['a password', { config: { walletPassword: 'correct horse' } }, 'correct horse'],
  ['a checkout token in an address', { url: `/pay/${TOKEN}/status` }, TOKEN],
  ['a sign-in link of the console', { url: `http://localhost:3480/console/enter/${TOKEN}` }, TOKEN],
  ['an nsec in a message', { cause: 'bad key nsec1qqqqqqqq' }, 'nsec1qqqqqqqq'],
  ['a slatepack in a message', { cause: 'refused BEGINSLATEPACK. abc def. ENDSLATEPACK.' }, 'abc def'],
  ['a Secret value', { key: new Secret('open sesame') }, 'open sesame'],
])('%s does not reach the log', async (_what, fields, text) => {
  const line = await logged((log) => log.info(fields, 'x'))
  expect(line).not.toContain(text)
  expect(line).toMatch(/\[(secret|token|slatepack)\]/)
})

test('a line with a cut slatepack is still JSON', async () => {
  const line = await logged((log) => log.warn({ cause: 'BEGINSLATEPACK. never ends', after: 1 }, 'x'))
  expect(JSON.parse(line)).toMatchObject({ cause: '[slatepack]', after: 1 })
})

test('people get one plain line', async () => {
  expect(await logged((log) => log.warn({ node: 'a', height: 3 }, 'node is behind'), true)).toMatch(
    /^\d\d:\d\d:\d\d warn {2}node is behind node=a height=3\n$/,
  )
})

test('people get one line, whatever a stranger put into it', async () => {
  const cause = 'no\r\n12:00:00 info  all is well\u001b[2J\u009b31m'
  const line = await logged((log) => log.warn({ cause }, 'node is behind\n'), true)
  expect(line.slice(0, -1)).not.toMatch(/\p{Cc}/u)
  expect(line.endsWith('\n')).toBe(true)
})
