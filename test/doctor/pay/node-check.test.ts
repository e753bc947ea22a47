// Whose word the till takes for "paid": the doctor warns where it is one foreign node.
import { expect, test } from 'vitest'
import { loadPayConfig, openEnvironment } from '../../../src/config/index.js'
import { tillNodeCheck } from '../../../src/doctor/pay/node-check.js'
import { systemClock } from '../../../src/system/index.js'
import { startNode } from '../../chain/fake-node.js'

const LONE = 'it alone says what is paid, and a third party runs it'

/** The warnings with that text, each with the host it is about. No name here resolves: how the nodes are does not matter. */
async function warned(...urls: readonly string[]) {
  const config = loadPayConfig(
    openEnvironment({ variables: { PAY_NODE_URL: urls.join(','), PAY_BUNDLED_RELAY_BIND: 'off' } }),
  )
  const findings = await tillNodeCheck.run({ config, clock: systemClock } as never)
  return findings.filter(({ detail }) => detail.includes(LONE))
}

test('one foreign node: a warning that names it and both ways out', async () => {
  expect(await warned('https://node.invalid')).toEqual([
    expect.objectContaining({
      level: 'warn',
      about: 'node.invalid',
      remedy: expect.stringMatching(/a node of your own.*PAY_CONFIRM_NODES=2/),
    }),
  ])
})

test('two addresses of one host are one node', async () => {
  expect(await warned('https://node.invalid', 'https://node.invalid:3413')).toHaveLength(1)
})

test('two hosts, or a node of this machine, are no reason to warn', async () => {
  expect(await warned('https://node.invalid', 'https://other.invalid')).toEqual([])
  const own = await startNode(() => ({ err: 'NotFound' }))
  expect(await warned(own.url)).toEqual([])
  await own.close()
})
