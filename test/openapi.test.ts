import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { tillOpenapi } from '../src/till/index.js'
import { OPERATIONS } from '../src/till/routes/operations/index.js'
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
    for (const { method, path } of OPERATIONS) {
      const methods = app.methodsAt(path.replace(/\{\w+\}/g, 'x'))
      expect([path, methods]).toEqual([path, expect.arrayContaining([method.toUpperCase()])])
    }
    const printed = app.printRoutes({ commonPrefix: false, includeHooks: false })
    const mounted = [...printed.matchAll(/\b(?:GET|POST)\b/g)].length
    expect(mounted).toBe(OPERATIONS.length)
  })

  test('names every operation once', () => {
    expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length)
  })

  test('passes the linter', async () => {
    const run = promisify(execFile)(
      process.execPath,
      ['node_modules/@redocly/cli/bin/cli.js', 'lint', 'openapi/pay.json'],
      {
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    )
    const { stderr } = await run
    expect(stderr).toContain('Your API description is valid')
  }, 60_000)
})
