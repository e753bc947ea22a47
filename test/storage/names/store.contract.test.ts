import { onTestFinished } from 'vitest'
import { describeNameStore } from '../../support/name-store-contract.js'
import { openTemporaryNames } from '../../support/temporary-store.js'

describeNameStore('libsql', async () => {
  const { store, remove } = await openTemporaryNames()
  onTestFinished(remove)
  return store
})
