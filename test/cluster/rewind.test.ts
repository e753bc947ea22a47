// A former primary that pg_rewind brought back too early (test 13 of the contract): it follows no node, and the doctor says so. Needs pg_rewind of
// PostgreSQL 15, which the dev dependency does not ship: GRINPAY_PG_BIN=/usr/lib/postgresql/15/bin.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { clusterFindings } from '../../src/doctor/cluster-check.js'
import { lookAtNodes } from '../../src/storage/postgres/nodes.js'
import { systemClock } from '../../src/system/index.js'
import { startCluster } from '../support/postgres/cluster.js'
import type { PostgresNode } from '../support/postgres/node.js'
import { findPrograms } from '../support/postgres/programs.js'
import { freshPlace } from '../support/postgres/schemas.js'

const program = join(process.env.GRINPAY_PG_BIN ?? '', 'pg_rewind')
/** Later versions of pg_rewind do not need the CHECKPOINT. */
const isFifteen = existsSync(program) && / 15\./.test(execFileSync(program, ['--version'], { encoding: 'utf8' }))

/** Answers what pg_rewind says. The node keeps its own settings, and follows `source` when it starts. */
function rewind(target: PostgresNode, source: PostgresNode): string {
  // Of the user who runs the tests; pg_rewind writes as the user of the server.
  rmSync(join(target.folder, 'server.log'), { force: true })
  const settings = join(target.folder, 'postgresql.conf')
  const own = readFileSync(settings)
  const at = `host=127.0.0.1 port=${source.port} user=grinpay`
  const said = execFileSync(
    'sh',
    [
      '-c',
      '"$0" "$@" 2>&1; true',
      program,
      '--target-pgdata',
      target.folder,
      '--source-server',
      `${at} dbname=postgres`,
    ],
    { ...findPrograms().user, cwd: target.folder, encoding: 'utf8' },
  )
  writeFileSync(settings, own)
  const conninfo = `${at} application_name=${target.name}`
  writeFileSync(join(target.folder, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`)
  target.put('standby.signal', '')
  return said
}

test.skipIf(!isFifteen)(
  'a node that was rewound before the new primary had a checkpoint is named by the doctor, with the remedy (needs pg_rewind 15 in GRINPAY_PG_BIN)',
  async () => {
    // A checkpoint that takes its time, as those of large databases do.
    const settings = { wal_log_hints: 'on', checkpoint_timeout: '1h', checkpoint_completion_target: '0.9' }
    const cluster = await startCluster({ settings })
    onTestFinished(() => cluster.stop())
    const place = await freshPlace(cluster.url())
    const [former, successor, other] = cluster.nodes
    await former.sql("CREATE TABLE public.bulk AS SELECT n, repeat('x', 500) AS x FROM generate_series(1, 12000) n")

    await Promise.all([successor.kill(), other.kill()])
    await former.sql('SET synchronous_commit = local; CREATE TABLE public.lost AS SELECT generate_series(1, 1000) AS n')
    await former.kill()
    await Promise.all([successor.start(), other.start()])
    await cluster.promote(successor)

    const findings = async () =>
      clusterFindings(await lookAtNodes(place, systemClock))
        .filter(({ level }) => level === 'fail')
        .map(({ about, detail, remedy }) => `${about}: ${detail}: ${remedy}`)
    expect(rewind(former, successor)).toContain('no rewind required')
    await former.start()
    await expect
      .poll(findings, { timeout: 10_000 })
      .toEqual([expect.stringContaining(`127.0.0.1:${former.port}: it receives nothing`)])
    expect((await findings())[0]).toMatch(/CHECKPOINT on the primary, then pg_rewind/)

    await former.stop()
    await successor.sql('CHECKPOINT')
    expect(rewind(former, successor)).toContain('Done!')
    await former.start()
    await cluster.streaming(successor, 2)
    await expect.poll(findings, { timeout: 10_000 }).toEqual([])
  },
)
