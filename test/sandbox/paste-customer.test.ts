// Play money by paste, for the library's wallet on the simulated chain.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPasteCustomer, createSandboxPayer, type SandboxPayer } from '../../src/sandbox/index.js'
import { systemRandom } from '../../src/system/index.js'
import { prove, verify } from '../support/grin.js'
import { codeOf } from '../support/vectors.js'
import { GRIN, startChain, type TestChain, walletFor } from '../wallet/fixture.js'

let chain: TestChain
let payer: SandboxPayer
beforeAll(async () => {
  chain = await startChain()
  payer = createSandboxPayer({ nodeUrl: chain.sandbox.url, prove, verify, random: systemRandom })
  await payer.fund(1)
})
afterAll(() => chain.close())

test('a wallet receives by paste, with a payment proof when it gives its address', async () => {
  const { wallet } = await walletFor(21)
  const customer = createPasteCustomer(payer)
  const { slatepack } = (await customer.send({ grin: '2.5', address: await wallet.address() })) as { slatepack: string }
  const reply = await wallet.receive(slatepack)
  expect(reply.slate.proof?.signature).toBeDefined()
  expect(await customer.finish({ slatepack: reply.slatepack })).toMatchObject({ slate_id: reply.slateId })
  chain.sandbox.mine(1)
  await wallet.refresh({ node: chain.node })
  expect((await wallet.balance({ minConfirmations: 1 })).spendable).toBe((5n * GRIN) / 2n)
  expect(await codeOf(() => customer.finish({ slatepack: reply.slatepack }))).toBe('CONTROL_REFUSED')
})

test.each([[{}], [{ grin: '0' }], [{ grin: '-1' }], [{ grin: 5 }], [{ grin: '1', address: 7 }]])(
  'refuses %j',
  async (members) => {
    expect(await codeOf(() => createPasteCustomer(payer).send(members))).toBe('CONTROL_REFUSED')
  },
)

test('gives up its oldest payment for the 21st, so that its coins are free again', async () => {
  const abandoned: string[] = []
  let count = 0
  const customer = createPasteCustomer({
    ...payer,
    ready: async () => undefined,
    begin: (amount) => ({ slateId: `slate ${++count}`, amount, s1: '' }),
    abandon: ({ slateId }) => void abandoned.push(slateId),
  })
  for (let sent = 0; sent < 22; sent++) await customer.send({ grin: '1' })
  expect(abandoned).toEqual(['slate 1', 'slate 2'])
})
