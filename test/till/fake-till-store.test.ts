import { createFakeTillStore } from '../support/fake-till-store.js'
import { describeTillStore } from '../support/till-store-contract.js'

describeTillStore('in memory', async () => createFakeTillStore())
