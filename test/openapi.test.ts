import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { AUTHORITY_OPERATIONS, authorityOpenapi } from '../src/authority/routes/openapi.js'
import { CHAIN_HEADER } from '../src/lib/chains.js'
import { tillOpenapi } from '../src/till/index.js'
import { TILL_OPERATIONS } from '../src/till/routes/openapi.js'
import { NAME_VERSION, nameApp, silentKernels } from './support/name-app.js'
import { tillApp, VERSION } from './support/till-app.js'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

describe('the OpenAPI document', () => {
  test('is committed as the code makes it (npm run docs writes it)', () => {
    expect(readFileSync('openapi/pay.json', 'utf8')).toBe(tillOpenapi(version))
  })

  test('is served', async () => {
    const { app } = await tillApp()
    const answer = await app.inject({ url: '/openapi.json' })
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.body).toBe(tillOpenapi(VERSION))
  })

  test('describes every route that is mounted, and no other', async () => {
    const { app } = await tillApp()
    for (const { method, path } of TILL_OPERATIONS) {
      const methods = app.methodsAt(path.replace(/\{\w+\}/g, 'x'))
      expect([path, methods]).toEqual([path, expect.arrayContaining([method.toUpperCase()])])
    }
    const printed = app.printRoutes({ commonPrefix: false, includeHooks: false })
    const mounted = [...printed.matchAll(/\b(?:GET|POST)\b/g)].length
    expect(mounted).toBe(TILL_OPERATIONS.length)
  })

  test('says of every answer that it names the chain, as the till does', async () => {
    const { app } = await tillApp()
    for (const url of ['/health', '/openapi.json', '/admin/status'])
      expect((await app.inject({ url })).headers[CHAIN_HEADER]).toBe('mainnet')
    const { paths, components } = JSON.parse(tillOpenapi(VERSION))
    const headers = Object.values<Record<string, { responses: object }>>(paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ responses }) => Object.values(responses))
      .map((answer) => answer.headers?.[CHAIN_HEADER])
    expect(new Set(headers.map((header) => header?.$ref))).toEqual(new Set([`#/components/headers/${CHAIN_HEADER}`]))
    expect(components.headers[CHAIN_HEADER].description).toContain('testnet')
  })

  test('says of every JSON body that it takes no other member, and of each such route 422', () => {
    const { paths, components } = JSON.parse(tillOpenapi(VERSION))
    const bodies = Object.entries<Record<string, { requestBody?: { content: object }; responses: object }>>(paths)
      .map(([path, { post }]) => ({ path, post, json: post?.requestBody?.content?.['application/json' as never] }))
      .filter(({ json }) => json !== undefined)
    expect(bodies.map(({ path }) => path).sort()).toEqual([
      '/admin/payments/{payment_id}/match',
      '/admin/users',
      '/admin/users/{user_id}/rotate-interval',
      '/invoice',
    ])
    for (const { post, json } of bodies) {
      const { $ref } = (json as unknown as { schema: { $ref: string } }).schema
      expect(components.schemas[$ref.split('/').at(-1) ?? '']).toMatchObject({ additionalProperties: false })
      expect(Object.keys(post?.responses ?? {})).toContain('422')
    }
    expect(components.schemas.PasteForm.additionalProperties).toEqual({})
  })

  test('names every operation once', () => {
    expect(new Set(TILL_OPERATIONS.map(({ id }) => id)).size).toBe(TILL_OPERATIONS.length)
  })
})

describe('the OpenAPI document of the name authority', () => {
  test('is committed as the code makes it (npm run docs writes it)', () => {
    expect(readFileSync('openapi/nameauth.json', 'utf8')).toBe(authorityOpenapi(version))
  })

  test('is served', async () => {
    const { app } = await nameApp()
    const answer = await app.inject({ url: '/api/v1/openapi.json' })
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.body).toBe(authorityOpenapi(NAME_VERSION))
  })

  test('describes every route that is mounted, and no other', async () => {
    const transfers = { minConfirmations: 10, maxOfferSeconds: 3600, claimGraceSeconds: 3600 }
    const { app } = await nameApp({ landing: false, settings: { transfers }, parts: { kernels: silentKernels } })
    for (const { method, path } of AUTHORITY_OPERATIONS) {
      const methods = app.methodsAt(path.replace(/\{\w+\}/g, 'x'))
      expect([path, methods]).toEqual([path, expect.arrayContaining([method.toUpperCase(), 'OPTIONS'])])
    }
    const printed = app.printRoutes({ commonPrefix: false, includeHooks: false })
    const mounted = [...printed.matchAll(/\b(?:GET|POST|DELETE)\b/g)].length
    expect(mounted).toBe(AUTHORITY_OPERATIONS.length)
  })
})

test.each(['pay', 'nameauth'])(
  'openapi/%s.json passes the linter',
  async (daemon) => {
    const run = promisify(execFile)(
      process.execPath,
      ['node_modules/@redocly/cli/bin/cli.js', 'lint', `openapi/${daemon}.json`],
      {
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    )
    const { stderr } = await run
    expect(stderr).toContain('Your API description is valid')
  },
  60_000,
)
