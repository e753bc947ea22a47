import { onTestFinished } from 'vitest'
import { openTemporaryStore } from '../support/temporary-store.js'
import { describeTillStore } from '../support/till-store-contract.js'

describeTillStore('libsql', async () => {
  const { store, remove } = await openTemporaryStore()
  onTestFinished(remove)
  return store
})
