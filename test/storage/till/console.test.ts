import { onTestFinished } from 'vitest'
import { openTemporaryStore } from '../../support/temporary-store.js'
import { describeConsoleReads } from '../contracts/till/console.js'

describeConsoleReads('libsql', async () => {
  const { store, remove } = await openTemporaryStore()
  onTestFinished(remove)
  return store
})
