// Shops and mail programs add slashes to links: the page is found, and its own address stays one.
import { expect, test } from 'vitest'
import { createFakeTill } from '../../support/fake-till.js'
import { tillApp } from '../../support/till-app.js'

test.each([
  ['/', ''],
  ['//', ''],
  ['/?method=slatepack', '?method=slatepack'],
])('/pay/TOKEN%s leads to /pay/TOKEN%s, below the path that the till is mounted at', async (typed, kept) => {
  const till = createFakeTill({ publicUrl: 'https://shop.example/till' })
  const { app } = await tillApp({ till })
  const { token } = till.put({})
  const answer = await app.inject({ url: `/pay/${token}${typed}` })
  expect([answer.statusCode, answer.headers.location]).toEqual([308, `/till/pay/${token}${kept}`])
  expect((await app.inject({ url: `/pay/${token}${kept}` })).statusCode).toBe(200)
})

test('so does the status for a shop, and no other address', async () => {
  const { app, till } = await tillApp()
  const { token } = till.put({})
  const statusOf = async (url: string) => {
    const { statusCode, headers } = await app.inject({ url })
    return [statusCode, headers.location]
  }
  expect(await statusOf(`/pay/${token}/status/`)).toEqual([308, `/pay/${token}/status`])
  expect(await statusOf('/pay/short/')).toEqual([404, undefined])
  expect(await statusOf('/pay//')).toEqual([404, undefined])
  expect(await statusOf(`/pay/${token}//evil.example/`)).toEqual([404, undefined])
})
