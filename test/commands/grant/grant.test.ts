import { afterEach, beforeEach, expect, test } from 'vitest'
import GrantList from '../../../src/commands/grant/list.js'
import GrantVoid from '../../../src/commands/grant/void.js'
import NameHistory from '../../../src/commands/name/history.js'
import { ADA, ADA_NPUB, BOB, type NamesForCommands, namesForCommands } from '../../support/name-commands.js'

let at: NamesForCommands
beforeEach(async () => {
  at = await namesForCommands()
  await at.grant(ADA, 'i-1')
})
afterEach(() => at.close())

test('list by key and by state', async () => {
  await at.grant(BOB, 'i-2')
  await at.store.settleGrant('i-2', 1)
  expect((await at.run(GrantList, '--pubkey', ADA_NPUB)).stdout).toBe(
    `i-1\tname\tpending\t2 GRIN\t2026-11-21T12:00:00Z\t${ADA_NPUB}\n`,
  )
  expect((await at.run(GrantList, '--status', 'paid', '-q')).stdout).toBe('i-2\n')
  expect(JSON.parse((await at.run(GrantList, '--json')).stdout).items).toHaveLength(2)
})

test('void wants --yes without a terminal, says what is lost, and changes nothing', async () => {
  const { stderr, exit } = await at.run(GrantVoid, 'i-1', '--reason', 'x')
  expect(exit).toBe(2)
  expect(stderr).toContain(`Making a pending invoice of 2 GRIN worthless for ${ADA_NPUB}`)
  expect(await at.store.grantOfInvoice('i-1')).toBeDefined()
})

test('void takes the grant away and leaves a line in the history of the key', async () => {
  const { stdout, stderr, exit } = await at.run(GrantVoid, 'i-1', '--reason', 'refunded', '--yes')
  expect({ stdout, exit }).toEqual({ stdout: 'the pending invoice i-1 is worth nothing now\n', exit: 0 })
  expect(stderr).toContain('grinpay invoice cancel i-1')
  expect(await at.store.grantOfInvoice('i-1')).toBeUndefined()
  expect((await at.run(NameHistory, '--key', ADA)).stdout).toMatch(/\tvoid-grant\t-\toperator\t.*refunded\n$/)
})

test('an invoice that no grant belongs to ends with 4', async () => {
  expect(await at.run(GrantVoid, 'i-9', '--reason', 'x', '--yes')).toMatchObject({ exit: 4, stdout: '' })
})
