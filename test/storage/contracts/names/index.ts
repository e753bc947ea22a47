// What every name store promises, whatever it is made of. Run on a file and on PostgreSQL.
import { describe } from 'vitest'
import type { OperatorStore } from '../../../../src/authority/index.js'
import { describeClaiming } from './claiming.js'
import { describeGrants } from './grants.js'
import { describeLists } from './lists.js'
import { describeOffers } from './offers.js'
import { describeOperator } from './operator.js'
import { describeReleasing } from './releasing.js'
import { describeSales } from './sales.js'

/** Opens an empty store; called once per test. A store that owns a file cleans up with vitest's `onTestFinished`. */
export type OpenNames = () => Promise<OperatorStore>

/** The contract suite: `describeNameStore('libsql', openIt)` in a test file is all a store needs. */
export function describeNameStore(name: string, open: OpenNames): void {
  describe(`name store: ${name}`, () => {
    describeClaiming(open)
    describeReleasing(open)
    describeGrants(open)
    describeOffers(open)
    describeSales(open)
    describeOperator(open)
    describeLists(open)
  })
}
