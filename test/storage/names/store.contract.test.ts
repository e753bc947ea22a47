import { onTestFinished } from 'vitest'
import { openTemporaryNames } from '../../support/temporary-store.js'
import { describeNameStore } from '../contracts/names/index.js'

describeNameStore('libsql', async () => {
  const { store, remove } = await openTemporaryNames()
  onTestFinished(remove)
  return store
})
