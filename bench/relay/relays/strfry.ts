// strfry, the fastest relay in C++: the unmodified program on a port of 127.0.0.1, without compression, time bounds or a plugin. It answers
// OK after a commit of LMDB, which is synced.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../test/support/till-process.js'
import { launch, type RunningRelay } from './launch.js'

/** GRINPAY_BENCH_STRFRY names the program; otherwise it lies with the other programs of the interop suite. */
const PROGRAM =
  process.env.GRINPAY_BENCH_STRFRY ??
  join(process.env.GRINPAY_ORACLES ?? join(homedir(), '.cache/grinpay-oracles'), 'bin/strfry')

/** The name of its database in its folder. */
export const STRFRY_DATABASE = 'data.mdb'

export const hasStrfry = (): boolean => existsSync(PROGRAM)

/** Writes the settings; returns their path. */
function writeSettings(folder: string, port: number): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'strfry.conf')
  const lines = [
    `db = "${folder}/"`,
    'dbParams { maxreaders = 256 mapsize = 34359738368 noReadAhead = false }',
    'events { maxEventSize = 65536 rejectEventsNewerThanSeconds = 315360000 rejectEventsOlderThanSeconds = 3153600000 }',
    `relay { bind = "127.0.0.1" port = ${port} nofiles = 0`,
    '  auth { enabled = false }',
    '  maxWebsocketPayloadSize = 131072 maxFilterLimit = 500 maxSubsPerConnection = 200',
    '  compression { enabled = false slidingWindow = false }',
    '}',
  ]
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

/** Serves the database in `folder`, which it makes when there is none. */
export async function startStrfry(folder: string): Promise<RunningRelay> {
  const port = await freePort()
  const settings = writeSettings(folder, port)
  return launch({
    name: 'strfry',
    command: [PROGRAM, '--config', settings, '--verbosity=WARNING', 'relay'],
    cwd: folder,
    port,
  })
}

/** Imports the events of a file into the database in `folder`, signatures trusted. */
export async function fillStrfry(file: string, folder: string): Promise<void> {
  const settings = writeSettings(folder, 0)
  const child = spawn(PROGRAM, ['--config', settings, '--verbosity=WARNING', 'import', '--no-verify'], {
    cwd: folder,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const ended = once(child, 'exit')
  createReadStream(file).pipe(child.stdin)
  const [code] = await ended
  if (code !== 0) throw new Error(`strfry import ended with ${code}`)
}
