import { expect, test } from 'vitest'
import { ADMIN, API, tillApp } from '../../support/till-app.js'

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

/** Every route with a body, and the one type that it reads. */
const ROUTES = [
  ['/invoice', JSON_TYPE, 'amount_grin=1000000000', '{"amount_grin":1000000000}'],
  ['/admin/users', JSON_TYPE, 'user_id=a', '{"user_id":"a"}'],
  ['/pay/TOKEN/slatepack', FORM, 'slatepack=good', '{"slatepack":"good"}'],
  ['/pay/TOKEN/requote', FORM, '', '{}'],
] as const

test.each(ROUTES)('%s reads only %s', async (path, type, form, json) => {
  const { app, till } = await tillApp()
  const url = path.replace('TOKEN', till.put({ status: path.endsWith('requote') ? 'expired' : 'open' }).token)
  const post = (contentType: string) =>
    app.inject({
      method: 'POST',
      url,
      payload: contentType === FORM ? form || 'a=1' : json,
      headers: { ...(path.startsWith('/admin') ? ADMIN : API), accept: JSON_TYPE, 'content-type': contentType },
    })
  const other = await post(type === FORM ? JSON_TYPE : FORM)
  expect([other.statusCode, other.json().code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  expect(other.json()).toMatchObject({ error: `the body must be ${type}`, hint: expect.any(String), status: 415 })
  expect((await post(type)).statusCode).not.toBe(415)
})

test.each([FORM, 'text/plain', 'application/octet-stream'])('an empty body of type %s is no body', async (type) => {
  const { app } = await tillApp()
  const post = (payload: string) =>
    app.inject({ method: 'POST', url: '/admin/webhooks/test', payload, headers: { ...ADMIN, 'content-type': type } })
  expect((await post('')).statusCode).not.toBe(415)
  expect((await post('a')).statusCode).toBe(415)
})

test('a form of the page that comes as JSON is refused as a page', async () => {
  const { app, till } = await tillApp()
  const { token } = till.put({})
  const headers = { 'content-type': JSON_TYPE, accept: 'text/html' }
  const answer = await app.inject({ method: 'POST', url: `/pay/${token}/slatepack`, payload: '{}', headers })
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([415, 'text/html; charset=utf-8'])
})
