// Prices and offers of a name authority are named as what they are worth: the till says the chain, without one a Grin node.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import GrantList from '../../src/commands/grant/list.js'
import GrantVoid from '../../src/commands/grant/void.js'
import NameShow from '../../src/commands/name/show.js'
import OfferList from '../../src/commands/offer/list.js'
import OfferShow from '../../src/commands/offer/show.js'
import { nodeListener } from '../support/chain-node.js'
import { ADA, type NamesForCommands, namesForCommands } from '../support/name-commands.js'

let at: NamesForCommands
afterEach(() => at.close())

/** Answers /health as a till of this chain does. */
const tillOf = (chain: string): Promise<string> =>
  listen((request, response) => {
    response.writeHead(request.url === '/health' ? 200 : 404, { 'x-grin-chain': chain }).end('{}')
  })

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const paidAt = async (chain: string): Promise<void> => {
  at = await namesForCommands(`NAMEAUTH_PAY_URL=${await tillOf(chain)}\n`)
  await at.grant(ADA, 'i-1')
  await at.claim('alice', ADA)
  await at.offer('alice')
}

describe.each(['testnet', 'usernet'])('%s', (chain) => {
  test.each([
    ['grant list', GrantList, []],
    ['offer list', OfferList, []],
    ['offer show', OfferShow, [Buffer.from('alice').toString('hex').padEnd(64, '0')]],
    ['name show', NameShow, ['alice']],
    ['grant void', GrantVoid, ['i-1', '--reason', 'x', '--yes']],
  ] as const)('is named by %s, on stderr and as a member', async (_name, command, argv) => {
    await paidAt(chain)
    const again = command === GrantVoid ? [] : [await at.run(command, ...argv)]
    for (const { stderr } of again) expect(stderr).toContain(`${chain}: coins without value\n`)
    const { stdout } = await at.run(command, ...argv, '--json')
    expect(JSON.parse(stdout)).toMatchObject({ chain })
  })
})

test('a grant that is made void is named beside its amount', async () => {
  await paidAt('testnet')
  expect((await at.run(GrantVoid, 'i-1', '--reason', 'x', '--yes')).stderr).toContain('testnet: coins without value\n')
})

test('the main chain is a member, and no words; with --quiet no till is asked', async () => {
  await paidAt('mainnet')
  expect((await at.run(GrantList)).stderr).toBe('')
  expect(JSON.parse((await at.run(OfferList, '--json')).stdout)).toMatchObject({ chain: 'mainnet' })
  expect((await at.run(OfferList, '--quiet')).stderr).toBe('')
})

test('without a till the node of the sales says it', async () => {
  const node = await listen(nodeListener('testnet'))
  at = await namesForCommands(`NAMEAUTH_TRANSFERS=true\nNAMEAUTH_GRIN_NODE_URL=${node}\n`)
  await at.claim('alice', ADA)
  await at.offer('alice')
  expect((await at.run(OfferList)).stderr).toContain('testnet: coins without value\n')
})

test('where nothing answers, nothing is claimed, and the list is there all the same', async () => {
  at = await namesForCommands('NAMEAUTH_PAY_URL=http://127.0.0.1:9\n')
  await at.grant(ADA, 'i-1')
  const { stdout, stderr, exit } = await at.run(GrantList)
  expect({ stderr, exit }).toEqual({ stderr: '', exit: 0 })
  expect(stdout).toContain('i-1')
})

test('a list without amounts asks no service', async () => {
  at = await namesForCommands(`NAMEAUTH_PAY_URL=${await tillOf('testnet')}\n`)
  expect((await at.run(GrantList)).stderr).toBe('')
})
