import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createFakeTill } from '../../support/fake-till.js'
import { ADMIN, ADMIN_TOKEN, API, API_TOKEN, tillApp } from '../../support/till-app.js'

test('no token, slatepack or page address reaches the log, not even of a request that fails', async () => {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const till = createFakeTill()
  const { app } = await tillApp({ till, app: { log: pino({ level: 'trace' }, stream) } })
  const { token } = till.put({})
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  await app.inject({ url: `/pay/${token}` })
  await app.inject({ url: `/pay/${token}/else` })
  await app.inject({ method: 'POST', url: `/pay/${token}/slatepack`, payload: 'slatepack=bad-secret', headers: form })
  await app.inject({ url: '/admin/status', headers: ADMIN })
  till.findByToken = till.findInvoice = async () => {
    throw new Error('disk gone')
  }
  await app.inject({ url: `/pay/${token}` })
  await app.inject({ url: '/invoice/x', headers: API })

  const log = lines.join('')
  expect(log).toContain('"route":"/pay/:token"')
  expect(log).toContain('disk gone')
  for (const secret of [token, 'bad-secret', API_TOKEN, ADMIN_TOKEN]) expect(log).not.toContain(secret)
})
