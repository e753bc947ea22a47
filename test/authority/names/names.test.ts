// Finding names and holders (specification: names, 6).
import { expect, test } from 'vitest'
import { shapeOf } from '../../../src/authority/index.js'
import { createNamesDesk } from '../../support/authority-parts.js'

const ADA = 'a'.repeat(64)

test('availability: invalid, reserved, taken, free, tested in this order', async () => {
  const { names, claim, store } = createNamesDesk()
  await claim(ADA, 'nova')
  await store.assign(shapeOf('admin'), { pubkey: 'b'.repeat(64), replace: false, reason: 'the operator', now: 0 })
  await store.reserve(shapeOf('mascot'), { reason: 'ours', now: 0 })
  const states = ['ab', 'a b', 'ADMIN', 'm4scot', 'N.O.V.A', 'n0va', 'novae'].map((name) => names.availability(name))
  expect(await Promise.all(states)).toEqual([
    { name: 'ab', state: 'invalid' },
    { name: 'a b', state: 'invalid' },
    { name: 'admin', state: 'reserved' },
    { name: 'm4scot', state: 'reserved' },
    { name: 'n.o.v.a', state: 'taken' },
    { name: 'n0va', state: 'taken' },
    { name: 'novae', state: 'free' },
  ])
})

test('a name that the operator gave away resolves, reserved or not', async () => {
  const { names, store } = createNamesDesk()
  await store.assign(shapeOf('admin'), { pubkey: ADA, replace: false, reason: 'the operator', now: 0 })
  expect(await names.lookup('Admin')).toEqual({ name: 'admin', pubkey: ADA })
})

test('the name of the domain itself resolves once the operator assigned it, and cannot be claimed', async () => {
  const { names, claim, store } = createNamesDesk()
  expect(await names.lookup('_')).toBeUndefined()
  await store.assign(shapeOf('_'), { pubkey: ADA, replace: false, reason: 'the operator', now: 0 })
  expect(await names.lookup('_')).toEqual({ name: '_', pubkey: ADA })
  expect(await names.nameOf(ADA)).toEqual({ name: '_', pubkey: ADA })
  expect(await names.availability('_')).toEqual({ name: '_', state: 'invalid' })
  await expect(claim('b'.repeat(64), '_')).rejects.toThrow()
})

test.each(['', '_', 'novae', 'constructor', '__proto__', 'n0va', ' nova', 'nova '])(
  '"%s" has no holder',
  async (name) => {
    const { names, claim } = createNamesDesk()
    await claim(ADA, 'nova')
    expect(await names.lookup(name)).toBeUndefined()
  },
)

test.each(['', 'b'.repeat(64), 'a'.repeat(63), 'npub1yt99qwgwvc8kqypkm46s9wuh80wdzp94mju09e6darkuds5jkqaqpa6hrt'])(
  'the key "%s" has no name',
  async (pubkey) => {
    const { names, claim } = createNamesDesk()
    await claim(ADA, 'nova')
    expect(await names.nameOf(pubkey)).toBeUndefined()
  },
)

test('only name and key are shown', async () => {
  const { names, claim } = createNamesDesk()
  await claim(ADA, 'nova')
  expect(await names.lookup('nova')).toEqual({ name: 'nova', pubkey: ADA })
})
