// nostr-rs-relay, the yardstick: the unmodified program on a port of 127.0.0.1, without limits. It answers OK after a commit that is
// not synced (WAL, synchronous NORMAL), as ours does by default.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../test/support/till-process.js'
import { launch, type RunningRelay } from './launch.js'

const ORACLES = process.env.GRINPAY_ORACLES ?? join(homedir(), '.cache/grinpay-oracles')
const PROGRAM = join(ORACLES, 'bin/nostr-rs-relay')

/** Its name for the file in the folder that it is given. */
export const OTHER_DATABASE = 'nostr.db'

export const hasOther = (): boolean => existsSync(PROGRAM)

/** Serves the database in `folder`, which it makes when there is none. */
export async function startOther(folder: string): Promise<RunningRelay> {
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const config = join(folder, 'config.toml')
  const lines = [
    '[network]',
    'address = "127.0.0.1"',
    `port = ${port}`,
    '[limits]',
    'max_event_bytes = 262144',
    'max_ws_message_bytes = 262144',
    'max_ws_frame_bytes = 262144',
  ]
  writeFileSync(config, `${lines.join('\n')}\n`)
  return launch({
    name: 'nostr-rs-relay',
    command: [PROGRAM, '--db', folder, '--config', config],
    env: { ...process.env, RUST_LOG: process.env.GRINPAY_BENCH_LOG ?? 'error' },
    cwd: folder,
    port,
  })
}
