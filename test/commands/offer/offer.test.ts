import { afterEach, beforeEach, expect, test } from 'vitest'
import OfferList from '../../../src/commands/offer/list.js'
import OfferShow from '../../../src/commands/offer/show.js'
import { ADA, ADA_NPUB, BOB_NPUB, type NamesForCommands, NOON, namesForCommands } from '../../support/name-commands.js'

let at: NamesForCommands
beforeEach(async () => {
  at = await namesForCommands()
  await at.claim('alice', ADA)
})
afterEach(() => at.close())

test('list by name and by state', async () => {
  const { id } = await at.offer('alice')
  const { stdout } = await at.run(OfferList, '--status', 'live')
  expect(stdout).toBe(`${id}\talice\tlive\t1.5 GRIN\t2026-11-21T12:01:00Z\t${ADA_NPUB}\t${BOB_NPUB}\n`)
  expect((await at.run(OfferList, '--name', 'ALICE', '-q')).stdout).toBe(`${id}\n`)
  expect(JSON.parse((await at.run(OfferList, '--status', 'revoked', '--json')).stdout)).toEqual({
    items: [],
    next: null,
  })
})

test('show tells an offer that ended, and with --json its event', async () => {
  const { id, event } = await at.offer('alice')
  await at.store.endOffer(id, { status: 'revoked', endHeight: 77, now: NOON + 1000 })
  const { stdout } = await at.run(OfferShow, id)
  expect(stdout).toContain(`status\trevoked\nprice\t1.5 GRIN\nseller\t${ADA_NPUB}\n`)
  expect(stdout).toContain('ended\t2026-11-21T12:00:01Z\nat height\t77\n')
  expect(JSON.parse((await at.run(OfferShow, id, '--json')).stdout)).toMatchObject({
    event,
    sale: null,
    end_height: 77,
  })
})

test('show tells the sale', async () => {
  const { id } = await at.offer('alice')
  const kernelExcess = '08'.repeat(33)
  const claim = { offerId: id, kernelExcess, kernelHeight: 1234, now: NOON + 5000, cooldownMs: 0 }
  expect(await at.store.transferName(claim)).toMatchObject({ outcome: 'transferred' })
  const { stdout } = await at.run(OfferShow, id)
  expect(stdout).toContain(`kernel\t${kernelExcess}\nkernel height\t1234\nsold\t2026-11-21T12:00:05Z\n`)
})

test('an offer that is none ends with 4', async () => {
  expect(await at.run(OfferShow, 'nonsense')).toMatchObject({ exit: 4, stdout: '' })
})
