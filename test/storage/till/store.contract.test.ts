import { onTestFinished } from 'vitest'
import { openTemporaryStore } from '../../support/temporary-store.js'
import { describeTillStore } from '../contracts/till/index.js'

describeTillStore('libsql', async () => {
  const { store, remove } = await openTemporaryStore()
  onTestFinished(remove)
  return store
})
