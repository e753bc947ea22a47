import { describeNameStore } from '../storage/contracts/names/index.js'
import { createFakeNameStore } from '../support/fake-name-store.js'

describeNameStore('in memory', async () => createFakeNameStore())
