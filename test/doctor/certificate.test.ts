// A certificate that ends soon is told in time, for the public address of each daemon and of the console.
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openEnvironment } from '../../src/config/index.js'
import { examineNameauth, examineRelay } from '../../src/doctor/index.js'
import { certificateFindings } from '../../src/doctor/public-address.js'
import { requestBounded } from '../../src/lib/http-request.js'
import { systemClock } from '../../src/system/index.js'
import { diagnose } from '../support/doctor.js'
import { CERTIFICATE, KEY } from '../support/test-certificate.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Of the test certificate. */
const END = Date.UTC(2126, 9, 28, 13, 39, 25)

test.each([
  [15 * DAY, []],
  [14 * DAY, []],
  [14 * DAY - 1, ['warn', 'in 13 days']],
  [3 * DAY, ['warn', 'in 3 days']],
  [3 * DAY - 1, ['fail', 'in 2 days']],
  [DAY, ['fail', 'in 1 day']],
  [HOUR, ['fail', 'within a day']],
])('with %d ms left: %j', (left, [level, when = '']) => {
  const findings = certificateFindings('https://pay.example/shop', { certificateEnd: END }, END - left)
  expect(findings.map((finding) => finding.level)).toEqual(level === undefined ? [] : [level])
  if (level === undefined) return
  expect(findings[0]?.detail).toBe(`the certificate of pay.example ends ${when}, at 2126-10-28T13:39Z`)
  expect(findings[0]?.remedy).toContain('certbot renew')
})

test('plain http has none', () =>
  expect(certificateFindings('http://pay.example', { certificateEnd: undefined }, 0)).toEqual([]))

/** An https server of this machine; answers its address. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer({ cert: CERTIFICATE, key: KEY }, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `https://localhost:${(server.address() as AddressInfo).port}`
}

test('the end is read from the connection', async () => {
  const url = await serve((_request, response) => response.end('ok'))
  const bounds = { timeoutMs: 5000, mostBytes: 10, options: { ca: [CERTIFICATE] } }
  expect((await requestBounded({ url, ...bounds })).certificateEnd).toBe(END)
})

describe('the doctor', () => {
  // The certificate of the tests is signed by nobody.
  beforeEach(() => void vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0'))
  afterEach(() => void vi.unstubAllEnvs())
  const clock = { ...systemClock, now: () => END - 10 * DAY }
  const LINE = /^the certificate of localhost:\d+ ends in 10 days/

  test('of a till', async () => {
    const url = await serve((_request, response) => response.end('{"status":"ok"}'))
    const findings = await diagnose({ variables: { PAY_PUBLIC_URL: url }, only: ['address'], clock })
    expect(findings[0]).toMatchObject({ level: 'warn', detail: expect.stringMatching(LINE) })
  })

  test('of a name authority', async () => {
    const url = await serve((_request, response) => response.end('ok'))
    const variables = { NAMEAUTH_DOMAIN: 'localhost', NAMEAUTH_BASE_URL: url, NAMEAUTH_DATA_DIR: '/nowhere' }
    const findings = await examineNameauth({ environment: openEnvironment({ variables }), only: ['address'], clock })
    expect(findings[0]).toMatchObject({ level: 'warn', detail: expect.stringMatching(LINE) })
  })

  test('of a relay', async () => {
    const url = await serve((_request, response) => response.end('no document'))
    const variables = { RELAY_INFO_RELAY_URL: url.replace('https', 'wss') }
    const sources = { environment: openEnvironment({ variables }) }
    const findings = await examineRelay({ sources, only: ['address'], clock })
    expect(findings[0]).toMatchObject({ level: 'warn', detail: expect.stringMatching(LINE) })
  })
})
