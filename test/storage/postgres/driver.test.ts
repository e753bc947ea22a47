// What a notice of the server says about the commit under way.
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../../src/storage/postgres/driver.js'
import { type NoticeFields, startNoticeServer } from '../../support/postgres/notice-server.js'

async function isSoundAfter(fields: NoticeFields): Promise<boolean> {
  const server = await startNoticeServer(fields)
  onTestFinished(server.close)
  const connection = await connect({
    address: { hosts: [], user: 'me', password: undefined, database: 'db', tls: undefined },
    host: { host: '127.0.0.1', port: server.port },
    schema: 's',
    applicationName: 'a test',
  })
  await connection.script('COMMIT')
  const { isSound } = connection
  connection.close()
  return isSound
}

// The German one is as PostgreSQL 15.18 sent it with lc_messages 'de_DE.UTF-8', after pg_cancel_backend.
test.each([
  [
    'a cancelled wait, in German',
    {
      C: '01000',
      M: 'storniere Warten auf synchrone Replikation wegen Benutzeraufforderung',
      R: 'SyncRepWaitForLSN',
    },
    false,
  ],
  ['a cancelled wait, no function named', { C: '01000', M: 'canceling wait for synchronous replication' }, false],
  ['a server that stops', { C: '57P01', M: 'terminating connection due to administrator command' }, false],
  [
    'another collation',
    { C: '01000', M: 'database "db" has a collation version mismatch', R: 'CheckMyDatabase' },
    true,
  ],
] as const)('%s: whether the commit counts as sound', async (_, fields, isSound) => {
  expect(await isSoundAfter({ S: 'WARNING', ...fields })).toBe(isSound)
})
