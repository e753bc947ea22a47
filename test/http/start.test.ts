// What making a server loads: every start of a daemon waits for it.
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { createApp } from '../../src/http/index.js'
import { countingRandom, stillClock } from '../support/till-app.js'

const packages = (): ReadonlySet<string> =>
  new Set(Object.keys(createRequire(import.meta.url).cache).map((file) => file.split('/node_modules/').at(-1) ?? file))

test('a server is made and listens without the schema compilers of the framework', async () => {
  const app = createApp({ clock: stillClock(), random: countingRandom() })
  app.get('/', () => 'x')
  await app.listen({ host: '127.0.0.1', port: 0 })
  await app.close()
  const loaded = [...packages()]
  expect(loaded).toContain('fastify/fastify.js')
  expect(loaded.filter((file) => /^(ajv|@fastify\/(ajv|fast-json))/.test(file))).toEqual([])
})
