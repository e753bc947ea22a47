import { onTestFinished } from 'vitest'
import { openTemporaryStore } from '../../support/temporary-store.js'
import { describeDeskReads } from '../contracts/till/desk.js'

describeDeskReads('libsql', async () => {
  const { store, remove } = await openTemporaryStore()
  onTestFinished(remove)
  return store
})
