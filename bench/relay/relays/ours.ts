// Our relay as an operator runs it, in a process of its own: nothing set but where it lies, and where it listens.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnvironment, freePort, ROOT } from '../../../test/support/till-process.js'
import { launch, type RunningRelay } from './launch.js'

export const OUR_DATABASE = 'relay.db'

export interface OurOptions {
  /** What OK waits for. */
  readonly durability?: 'commit' | 'fsync'
  /** Keys whose public notes it takes; none by default. */
  readonly noteAuthors?: readonly string[] | 'everyone'
  /** Options of Node, such as `--cpu-prof`. */
  readonly node?: readonly string[]
  /** Further lines of its settings. */
  readonly toml?: readonly string[]
  /** Of another build. */
  readonly entry?: string
}

/** Serves the database in `folder`, which it makes when there is none. */
export async function startOurs(
  folder: string,
  { durability = 'commit', noteAuthors = [], node = [], toml = [], entry = join(ROOT, 'bin/run.js') }: OurOptions = {},
): Promise<RunningRelay> {
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const config = join(folder, 'relay.toml')
  const lines = [
    '[network]',
    'address = "127.0.0.1"',
    `port = ${port}`,
    '[database]',
    `data_directory = ${JSON.stringify(folder)}`,
    `durability = "${durability}"`,
    '[authorization]',
    `public_note_authors = ${JSON.stringify(noteAuthors)}`,
    ...toml,
  ]
  writeFileSync(config, `${lines.join('\n')}\n`)
  return launch({
    name: 'grinpay',
    command: [process.execPath, ...node, entry, 'serve', 'relay', '--config', config],
    env: cleanEnvironment(),
    port,
  })
}
