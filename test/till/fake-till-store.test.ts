import { describeTillStore } from '../storage/contracts/till/index.js'
import { createFakeTillStore } from '../support/fake-till-store.js'

describeTillStore('in memory', async () => createFakeTillStore())
