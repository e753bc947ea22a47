import { describe, expect, test } from 'vitest'
import { createPolicyAuthority, type HttpResponse } from '../../src/client/index.js'
import { codeOf } from '../support/vectors.js'

const ADA = 'aa'.repeat(32)
const { signal } = new AbortController()

function clientOf(answer: HttpResponse) {
  const asked: string[] = []
  const client = createPolicyAuthority({
    baseUrl: 'http://authority.example/mount',
    transport: async ({ url }) => {
      asked.push(url)
      return answer
    },
  })
  return { ...client, asked }
}

test.each([true, false])('a key has paid or not: %s', async (paid) => {
  const { isWritePaid, asked } = clientOf({ status: 200, text: JSON.stringify({ pubkey: ADA, paid }) })
  expect(await isWritePaid(ADA, signal)).toBe(paid)
  expect(asked).toEqual([`http://authority.example/mount/api/v1/paid/${ADA}`])
})

test('a key holds a name or not', async () => {
  const holder = clientOf({ status: 200, text: JSON.stringify({ name: 'ada', pubkey: ADA }) })
  expect(await holder.holdsName(ADA, signal)).toBe(true)
  expect(holder.asked).toEqual([`http://authority.example/mount/api/v1/by-pubkey/${ADA}`])
  expect(await clientOf({ status: 404, text: '{"error":"not found"}' }).holdsName(ADA, signal)).toBe(false)
})

describe('an odd answer is none', () => {
  const odd: readonly HttpResponse[] = [
    { status: 500, text: '{"error":"db error"}' },
    { status: 200, text: '<html>welcome</html>' },
    { status: 200, text: '' },
    { status: 200, text: '[true]' },
    { status: 200, text: '{"paid":"true","name":5}' },
    { status: 429, text: '{"error":"rate_limited"}' },
    { status: 404, text: '<h1>not found</h1>' },
    { status: 302, text: '{"paid":true,"name":"ada"}' },
  ]
  test.each(odd)('%j', async (answer) => {
    const client = clientOf(answer)
    expect(await codeOf(() => client.isWritePaid(ADA, signal))).toBe('AUTHORITY_ODD')
    expect(await codeOf(() => client.holdsName(ADA, signal))).toBe('AUTHORITY_ODD')
  })
})

test('an authority that does not answer is called by its name', async () => {
  const { isWritePaid } = createPolicyAuthority({ baseUrl: 'http://127.0.0.1:1' })
  await expect(isWritePaid(ADA, signal)).rejects.toThrow('no answer from the name authority at http://127.0.0.1:1')
})
