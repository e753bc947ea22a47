// What every till store promises, whatever it is made of. Run on the fake and on the real database.
import { describe } from 'vitest'
import type { TillStore } from '../../src/till/index.js'
import { describeAccepting } from './till-store-contract-accepting.js'
import { describeAssigning } from './till-store-contract-assigning.js'
import { describeInvoiceSlates } from './till-store-contract-invoice-slates.js'
import { describeInvoices } from './till-store-contract-invoices.js'
import { describeLetters } from './till-store-contract-letters.js'
import { describeLife } from './till-store-contract-life.js'
import { describeMatching } from './till-store-contract-matching.js'
import { describeOutbox } from './till-store-contract-outbox.js'
import { describePushes } from './till-store-contract-pushes.js'
import { describeSeen } from './till-store-contract-seen.js'
import { describeSightings } from './till-store-contract-sightings.js'
import { describeUsers } from './till-store-contract-users.js'
import { describeWatch } from './till-store-contract-watch.js'

/** Opens an empty store; called once per test. A store that owns a file cleans up with vitest's `onTestFinished`. */
export type OpenStore = () => Promise<TillStore>

/** The contract suite: `describeTillStore('libsql', openIt)` in a test file is all a store needs. */
export function describeTillStore(name: string, open: OpenStore): void {
  describe(`till store: ${name}`, () => {
    describeInvoices(open)
    describeMatching(open)
    describeAccepting(open)
    describeSightings(open)
    describeAssigning(open)
    describeLife(open)
    describeOutbox(open)
    describeUsers(open)
    describeLetters(open)
    describeSeen(open)
    describeWatch(open)
    describeInvoiceSlates(open)
    describePushes(open)
  })
}
