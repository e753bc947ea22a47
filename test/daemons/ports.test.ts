import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { portFor } from '../../src/daemons/parts/ports.js'
import { freePort } from '../support/till-process.js'
import { codeOf } from '../support/vectors.js'

test('the usual port gives way when it is taken, one that was asked for is an error', async () => {
  const usual = await freePort()
  expect(await portFor(undefined, usual)).toBe(usual)
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(usual, '127.0.0.1', resolve))
  expect(await portFor(undefined, usual)).not.toBe(usual)
  expect(await codeOf(() => portFor(usual, 1))).toBe('PORT_TAKEN')
  await new Promise((resolve) => other.close(resolve))
  expect(await portFor(0, usual)).toBeGreaterThan(0)
})
