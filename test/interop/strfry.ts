// strfry, a relay that was not written here, with its data in a temporary folder: its tools work on that folder, whether it serves or not.
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NostrEvent } from 'nostr-tools/pure'
import { freePort, until } from '../support/till-process.js'

const PROGRAM = process.env.GRINPAY_STRFRY ?? ''
const LONGEST_MS = 240_000
const MOST_OUTPUT = 256 * 1024 * 1024

/** Why strfry is not here, or undefined when it is. */
export const missingStrfry = (): string | undefined =>
  existsSync(PROGRAM) ? undefined : 'GRINPAY_STRFRY does not name a strfry program'

export interface Strfry {
  readonly address: string
  /** Runs one of its tools and returns what that printed: results and log. Throws when it fails. */
  run(words: readonly string[], input?: string): string
  store(events: readonly NostrEvent[]): void
  stored(): readonly NostrEvent[]
  stop(): Promise<void>
}

/** A relay that takes events of any age, as ours does. */
export async function startStrfry(): Promise<Strfry> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-strfry-'))
  const port = await freePort()
  const config = join(folder, 'strfry.conf')
  writeFileSync(config, settings(folder, port))
  // Into a file: it logs every event, and a full pipe would stop it while the test waits for a tool.
  const log = join(folder, 'log')
  const file = openSync(log, 'a')
  const child = spawn(PROGRAM, ['--config', config, 'relay'], { stdio: ['ignore', file, file] })
  closeSync(file)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const answers = () =>
    fetch(`http://127.0.0.1:${port}`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until(answers, { child, output: () => readFileSync(log, 'utf8') })

  function tool(words: readonly string[], input = '') {
    const options = { input, encoding: 'utf8', timeout: LONGEST_MS, maxBuffer: MOST_OUTPUT } as const
    const { status, stdout, stderr } = spawnSync(PROGRAM, ['--config', config, ...words], options)
    if (status !== 0) throw new Error(`strfry ${words.join(' ')} ended with ${status}:\n${stderr}`)
    return { stdout, stderr }
  }

  return {
    address: `ws://127.0.0.1:${port}`,
    run(words, input) {
      const { stdout, stderr } = tool(words, input)
      return stdout + stderr
    },
    store: (events) => void tool(['import'], events.map((event) => `${JSON.stringify(event)}\n`).join('')),
    stored: () => eventsIn(tool(['export']).stdout),
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const eventsIn = (lines: string): readonly NostrEvent[] =>
  lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as NostrEvent)

const settings = (folder: string, port: number): string => `
db = "${folder}/"
dbParams {
    mapsize = 1073741824
}
events {
    rejectEventsOlderThanSeconds = 3153600000
}
relay {
    bind = "127.0.0.1"
    port = ${port}
    nofiles = 0
    auth {
        enabled = false
    }
}
`
