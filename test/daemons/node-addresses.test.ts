import { expect, test } from 'vitest'
import { createChain } from '../../src/chain/index.js'
import { nodeAddresses } from '../../src/daemons/parts/pay/chain.js'
import { Secret } from '../../src/lib/secret.js'
import { startSandboxNode } from '../../src/sandbox/index.js'
import { systemClock, systemRandom } from '../../src/system/index.js'

const nodeUrls = ['http://127.0.0.1:3413', 'https://node.example']

test('only the first node gets the secret, whatever is in it', () => {
  const nodeSecret = new Secret('a:b@c/d%e')
  expect(nodeAddresses({ nodeUrls, nodeSecret })).toEqual([
    'http://grin:a%3Ab%40c%2Fd%25e@127.0.0.1:3413/',
    'https://node.example',
  ])
})

test('without a secret the addresses are as configured', () => {
  expect(nodeAddresses({ nodeUrls, nodeSecret: undefined })).toEqual(nodeUrls)
})

test('a node that wants a secret answers with it, and not without', async () => {
  const apiSecret = 'QtHn5%0a+/secret'
  const node = await startSandboxNode({ verify: async () => true, clock: systemClock, random: systemRandom, apiSecret })
  const tipWith = async (nodeSecret: Secret | undefined) => {
    const urls = nodeAddresses({ nodeUrls: [node.url], nodeSecret })
    const chain = createChain({ urls, clock: systemClock })
    try {
      return (await chain.tip()).height
    } finally {
      chain.close()
    }
  }
  try {
    expect(await tipWith(new Secret(apiSecret))).toBe(0)
    await expect(tipWith(undefined)).rejects.toMatchObject({ code: 'NODE_UNAVAILABLE' })
    await expect(tipWith(new Secret('wrong'))).rejects.toMatchObject({ code: 'NODE_UNAVAILABLE' })
  } finally {
    await node.close()
  }
})
