// What setup sees of the world: each finding is a line for people, and never more than a warning.
import { describe, expect, test } from 'vitest'
import { Secret } from '../../../src/lib/secret.js'
import { lookAround } from '../../../src/wizard/looks.js'
import { NAMEAUTH_QUESTIONS, type NameauthAnswers } from '../../../src/wizard/nameauth/questions.js'
import { serving } from '../../support/local-server.js'

interface Asked {
  readonly url: string | undefined
  readonly authorization: string | undefined
}

/** Answers every request alike; resolves with its address and what it was asked. */
async function serverOf(status: number, body = '{}') {
  const asked: Asked[] = []
  const url = await serving(({ url, headers }, reply) => {
    asked.push({ url, authorization: headers.authorization })
    reply.writeHead(status).end(body)
  })
  return { bind: new URL(url).host, url, asked }
}

const FREE: NameauthAnswers = { domain: 'localhost', bind: '127.0.0.1:0', pay_mode: 'off', transfers: 'no' }
const look = (answers: NameauthAnswers, token?: string, ownBind?: string) =>
  lookAround(NAMEAUTH_QUESTIONS, {
    answers: { ...FREE, ...answers },
    token: token === undefined ? undefined : new Secret(token),
    ownBind,
  })

describe('the domain', () => {
  test('has an address', async () => {
    expect(await look({})).toEqual([{ ok: true, text: expect.stringMatching(/^domain localhost: (127\.|::1)/) }])
  })

  test('may have none yet', async () => {
    const [finding] = await look({ domain: 'no-such-name.invalid' })
    expect(finding).toMatchObject({ ok: false, text: expect.stringContaining('has no address yet') })
  })
})

describe('the port', () => {
  test('is taken', async () => {
    const { bind } = await serverOf(200)
    expect(await look({ bind })).toContainEqual({ ok: false, text: `cannot listen on ${bind} now (EADDRINUSE)` })
  })

  test('may be taken by the authority that is being changed', async () => {
    const { bind } = await serverOf(200)
    expect(await look({ bind }, undefined, bind)).toHaveLength(1)
  })
})

describe('the till', () => {
  const till = async (status: number, token?: string) => {
    const { url, asked } = await serverOf(status)
    const findings = await look({ pay_mode: 'name', pay_url: url }, token)
    return { url, asked, finding: findings.at(-1) }
  }

  test('takes the token', async () => {
    const { url, asked, finding } = await till(404, 'sesame')
    expect(finding).toEqual({ ok: true, text: `till ${url} answers, and takes the API token` })
    expect(asked).toEqual([{ url: '/invoice/setup-check', authorization: 'Bearer sesame' }])
  })

  test('refuses the token, which is not repeated', async () => {
    const { url, finding } = await till(401, 'sesame')
    expect(finding).toEqual({ ok: false, text: `till ${url} refuses this API token` })
  })

  test('answers without a token', async () => {
    const { url, finding } = await till(401)
    expect(finding).toEqual({ ok: true, text: `till ${url} answers` })
  })

  test('is something else', async () => {
    const { url, finding } = await till(503, 'sesame')
    expect(finding).toEqual({ ok: false, text: `till ${url} answers 503` })
  })

  test('does not answer', async () => {
    const findings = await look({ pay_mode: 'name', pay_url: 'http://127.0.0.1:1' }, 'sesame')
    expect(findings.at(-1)).toEqual({ ok: false, text: expect.stringMatching(/^till http:\/\/127.0.0.1:1: no answer/) })
  })

  test('is never sent the token in the open over a public network', async () => {
    const headers: unknown[] = []
    await lookAround(NAMEAUTH_QUESTIONS, {
      answers: { ...FREE, pay_mode: 'name', pay_url: 'http://till.example' },
      token: new Secret('sesame'),
      ownBind: undefined,
      transport: async (request) => {
        headers.push(request.headers)
        return { status: 401, text: '' }
      },
    })
    expect(headers).toEqual([undefined])
  })
})

test('nodes tell their height, each at the address as it was given', async () => {
  const good = await serverOf(200, JSON.stringify({ result: { Ok: { height: 42 } } }))
  const bad = await serverOf(404)
  const nodes = `${good.url}/v2/foreign, ${bad.url}/`
  const findings = await look({ transfers: 'yes', node_url: nodes })
  expect(findings.slice(1)).toEqual([
    { ok: true, text: `node ${good.url}/v2/foreign: at height 42` },
    { ok: false, text: `node ${bad.url}/: answers 404, but not as a node` },
  ])
  expect(good.asked[0]?.url).toBe('/v2/foreign')
})
