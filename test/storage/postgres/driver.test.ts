// What a notice of the server says about the commit under way; and that a pooler is no server.
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../../src/storage/postgres/driver.js'
import { type NoticeFields, type NoticeServer, startNoticeServer } from '../../support/postgres/notice-server.js'

const connectTo = ({ port }: NoticeServer) =>
  connect({
    address: { hosts: [], user: 'me', password: undefined, database: 'db', tls: undefined },
    host: { host: '127.0.0.1', port },
    schema: 's',
    applicationName: 'a test',
    statementMs: 0,
  })

async function isSoundAfter(fields: NoticeFields): Promise<boolean> {
  const server = await startNoticeServer(fields)
  onTestFinished(server.close)
  const connection = await connectTo(server)
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

// As PgBouncer 1.18 and 1.24 answer; the third lets every setting pass (ignore_startup_parameters), and another process than it named answers.
test.each([
  ['of old', { refusal: { S: 'FATAL', C: '08P01', M: 'unsupported startup parameter: options' } }],
  ['of today', { refusal: { S: 'FATAL', C: '08P01', M: 'unsupported startup parameter in options: jit' } }],
  ['that hides itself', { announced: 815 }],
] as const)('a pooler %s is refused at once, and the reason is told', async (_, manner) => {
  const server = await startNoticeServer({}, manner)
  onTestFinished(server.close)
  await expect(connectTo(server)).rejects.toMatchObject({
    code: 'DATABASE_POOLED',
    message: expect.stringContaining(`127.0.0.1:${server.port} is a connection pooler such as PgBouncer`),
    hint: expect.stringContaining('PostgreSQL servers themselves'),
  })
  expect(server.count()).toBe(1)
})
