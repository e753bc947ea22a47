// Settings that were restored name places of the machine they came from: these are the new ones.

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Manifest, placeInEnv, placeInToml } from '../../../backup/index.js'
import { aliasesOf, DAEMONS } from '../../../config/index.js'
import type { DaemonName } from '../../../lib/daemon-names.js'
import { replaceFile } from '../../../system/index.js'

/** Variables of a daemon and where they point to below the restored folder, when that is there. */
const PLACES: Readonly<Record<DaemonName, Readonly<Record<string, string>>>> = {
  pay: {
    PAY_DATA_DIR: 'data',
    PAY_DB_PATH: 'data/pay.db',
    RELAY_NAME_AUTHORITY_RESERVED_FILE: 'data/relay/reserved.txt',
  },
  nameauth: {
    NAMEAUTH_DATA_DIR: 'nameauth/data',
    NAMEAUTH_NAMES_DB: 'nameauth/data/names.db',
    NAMEAUTH_RESERVED_FILE: 'nameauth/reserved.txt',
  },
  relay: {
    RELAY_DATABASE_DATA_DIRECTORY: 'relay/data',
    RELAY_NAME_AUTHORITY_RESERVED_FILE: 'relay/reserved.txt',
  },
}

/** The same in the TOML file of a relay, by section and key. */
const TOML_PLACES = [
  ['database', 'data_directory', 'relay/data'],
  ['name_authority', 'reserved_file', 'relay/reserved.txt'],
] as const

/** Older names of the same, which would be read beside them. */
const OLD_NAMES = new Set(Object.keys({ ...PLACES.pay, ...PLACES.nameauth }).flatMap((name) => aliasesOf({ name })))
const RELAY_NAMES = Object.keys(PLACES.relay)

/** Rewrites the settings in `folder`, which will be `to`. Makes an env file when none was kept. */
export async function placeSettings({ daemon, files }: Manifest, folder: string, to: string): Promise<void> {
  const places = new Map(
    Object.entries(PLACES[daemon])
      .filter(([, below]) => existsSync(join(folder, below)))
      .map(([name, below]) => [name, quoted(join(to, below))]),
  )
  const secrets = files.filter(({ role }) => role === 'secret').map(({ path }) => path)
  for (const path of secrets) places.set(`${basename(path)}_FILE`, quoted(join(to, path)))
  const gone = new Set([...OLD_NAMES, ...RELAY_NAMES].filter((name) => !places.has(name)))
  const known = files.filter(({ role }) => role === 'settings').map(({ path }) => path)
  for (const path of known.length > 0 || DAEMONS[daemon].fileForm === 'toml' ? known : [`${daemon}.env`]) {
    const before = existsSync(join(folder, path)) ? await readFile(join(folder, path), 'utf8') : ''
    const after = path.endsWith('.toml')
      ? TOML_PLACES.filter(([, , below]) => existsSync(join(folder, below))).reduce(
          (text, [section, key, below]) => placeInToml(text, section, key, join(to, below)),
          before,
        )
      : placeInEnv(before, places, gone)
    await replaceFile(join(folder, path), after, 0o600)
  }
}

/** As every reader of env files takes it. */
const quoted = (path: string): string => (/^[A-Za-z0-9_./:@,+%=-]*$/.test(path) ? path : `"${path}"`)
