// What every till store promises, whatever it is made of. Run on a file and on PostgreSQL.
import { describe } from 'vitest'
import type { TillStore } from '../../../../src/till/index.js'
import { describeAccepting } from './accepting.js'
import { describeAssigning } from './assigning.js'
import { describeClaims } from './claims.js'
import { describeInvoiceSlates } from './invoice-slates.js'
import { describeInvoices } from './invoices.js'
import { describeLife } from './life.js'
import { describeMatching } from './matching.js'
import { describeMessages } from './messages.js'
import { describeOutbox } from './outbox.js'
import { describePushes } from './pushes.js'
import { describeReports } from './reports.js'
import { describeSeen } from './seen.js'
import { describeSightings } from './sightings.js'
import { describeUsers } from './users.js'
import { describeUses } from './uses.js'
import { describeWatch } from './watch.js'

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
    describeClaims(open)
    describeUsers(open)
    describeUses(open)
    describeMessages(open)
    describeSeen(open)
    describeWatch(open)
    describeInvoiceSlates(open)
    describePushes(open)
    describeReports(open)
  })
}
