// Amounts of a test network are named so by every command that asks a till.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import InvoiceCreate from '../../src/commands/invoice/create.js'
import InvoiceList from '../../src/commands/invoice/list.js'
import InvoiceShow from '../../src/commands/invoice/show.js'
import PaymentList from '../../src/commands/payment/list.js'
import WalletBalance from '../../src/commands/wallet/balance.js'
import { createFakeTill } from '../support/fake-till.js'
import { type TillForCommands, tillForCommands } from '../support/run-command.js'

const onChain = (chain: 'testnet' | 'usernet' | 'sandbox') => {
  const till = createFakeTill()
  return tillForCommands({ ...till, settings: { ...till.settings, chain } })
}

let at: TillForCommands
afterEach(() => at.close())

describe('a till of a test network', () => {
  beforeEach(async () => {
    at = await onChain('testnet')
  })

  test.each([
    ['invoice create', InvoiceCreate, ['0.1']],
    ['invoice list', InvoiceList, []],
    ['payment list', PaymentList, []],
    ['wallet balance', WalletBalance, []],
  ] as const)('is named by %s, on stderr and as a member', async (_name, command, argv) => {
    expect((await at.run(command, ...argv)).stderr).toContain('testnet: coins without value\n')
    const { stdout, stderr } = await at.run(command, ...argv, '--json')
    expect(JSON.parse(stdout)).toMatchObject({ chain: 'testnet' })
    expect(stderr).toBe('')
  })

  test('is not named where only the id is asked for, nor after a failure', async () => {
    expect((await at.run(InvoiceList, '--quiet')).stderr).toBe('')
    expect((await at.run(InvoiceShow, 'none')).stderr).not.toContain('testnet')
  })
})

test.each(['usernet', 'sandbox'] as const)('so is %s', async (chain) => {
  at = await onChain(chain)
  expect((await at.run(InvoiceList)).stderr).toContain(`${chain}: coins without value\n`)
})

test('the main chain is a member, and no words', async () => {
  at = await tillForCommands()
  expect((await at.run(InvoiceList)).stderr).toBe('')
  expect(JSON.parse((await at.run(InvoiceList, '--json')).stdout)).toMatchObject({ chain: 'mainnet' })
})
