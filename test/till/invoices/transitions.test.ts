// The table itself; that stores obey it is asked pair by pair in test/storage/contracts/till/life.ts.
import { expect, test } from 'vitest'
import { mayBe } from '../../../src/storage/till/invoice-moves.js'
import { HAPPENINGS, next, statusAfter, statusesBefore } from '../../../src/till/invoices/transitions.js'
import { INVOICE_STATUSES } from '../../../src/till/model.js'

test('the table has exactly these transitions', () => {
  const all = INVOICE_STATUSES.flatMap((status) =>
    HAPPENINGS.flatMap((happening) => {
      const to = next(status, happening)
      return to ? [`${status} --${happening}--> ${to}`] : []
    }),
  )
  expect(all).toEqual([
    'open --payment-accepted--> paid',
    'open --confirmed-payment-assigned--> confirmed',
    'open --time-over--> expired',
    'open --cancelled--> cancelled',
    'open --repriced--> open',
    'open --kernel-appeared--> paid',
    'paid --depth-reached--> confirmed',
    'paid --kernel-missing--> expired',
    'paid --payment-void--> open',
    'expired --payment-accepted--> paid',
    'expired --confirmed-payment-assigned--> confirmed',
    'expired --repriced--> open',
    'expired --kernel-appeared--> paid',
  ])
})

test('every happening leads to one status, from at least one', () => {
  for (const happening of HAPPENINGS) {
    expect(statusesBefore(happening).length, happening).toBeGreaterThan(0)
    for (const status of statusesBefore(happening)) expect(next(status, happening)).toBe(statusAfter(happening))
  }
})

test('nothing leads out of confirmed and cancelled', () => {
  const ways = HAPPENINGS.flatMap((happening) => [next('confirmed', happening), next('cancelled', happening)])
  expect(ways.every((way) => way === undefined)).toBe(true)
  expect(INVOICE_STATUSES).toHaveLength(5)
})

test('preconditions are written as partial indexes have them', () => {
  expect(mayBe('cancelled')).toBe("status = 'open'")
  expect(mayBe('payment-accepted')).toBe("status IN ('open', 'expired')")
})
