// What a page behind the public address of a console means, with the pages of a real one, and a database that is damaged.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { publicFinding } from '../../../src/doctor/pay/console-check.js'
import { systemClock } from '../../../src/system/index.js'
import { openTestConsole } from '../../support/console-app.js'
import { diagnose, lines } from '../../support/doctor.js'
import { temporaryFolder } from '../../support/temporary-store.js'
import { freePort } from '../../support/till-process.js'

const URL = 'https://console.example'

test.each([
  ['console.example', /^pass https:\/\/console\.example leads to a console, and passkeys work there$/],
  ['127.0.0.1:3480', /^fail passkeys do not work at https:\/\/console\.example: the proxy sends another Host on$/],
  ['other.example', /^fail the proxy of https:\/\/console\.example sends another Host on/],
])('a proxy that sends Host %s on', async (host, line) => {
  const { ask, remove } = await openTestConsole({ url: URL })
  onTestFinished(remove)
  const { statusCode: status, body: text } = await ask({ url: '/console/sign-in', headers: { host } })
  expect(
    lines([
      { check: 'console', ...publicFinding(URL, { status, text, headers: {}, from: '', certificateEnd: undefined }) },
    ]),
  ).toEqual([expect.stringMatching(line)])
})

test('another page is no console', () => {
  const answer = { status: 200, text: 'hello', headers: {}, from: '', certificateEnd: undefined }
  expect(publicFinding(URL, answer)).toMatchObject({
    level: 'fail',
    detail: `${URL} answers 200, but not as a console does`,
  })
})

test('a console.db that cannot be read, and a console that is off', async () => {
  const { folder, remove } = temporaryFolder()
  onTestFinished(remove)
  writeFileSync(join(folder, 'console.db'), 'no database at all'.repeat(100))
  const variables = {
    PAY_CONSOLE: 'on',
    PAY_CONSOLE_BIND: `127.0.0.1:${await freePort()}`,
    PAY_DB_PATH: join(folder, 'pay.db'),
  }
  const ofConsole = async (more: object) =>
    (await diagnose({ variables: { ...variables, ...more }, only: ['console'], clock: systemClock })).filter(
      ({ check }) => check === 'console',
    )
  expect(lines(await ofConsole({})).join()).toMatch(/fail .*console\.db/)
  expect(await ofConsole({ PAY_CONSOLE: 'off' })).toEqual([])
})
