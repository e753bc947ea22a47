import { createFakeNameStore } from '../support/fake-name-store.js'
import { describeNameStore } from '../support/name-store-contract.js'

describeNameStore('in memory', async () => createFakeNameStore())
