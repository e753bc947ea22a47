// A name authority in this process: the real daemon on a real socket and database, in a folder of its own.
import { loadNameauthConfig, openEnvironment } from '../../src/config/index.js'
import { openNameDaemon } from '../../src/daemons/nameauth.js'
import { createLog } from '../../src/system/log.js'
import { temporaryFolder } from './temporary-store.js'

export async function nameDaemon(settings: Readonly<Record<string, string>> = {}) {
  const { folder, remove } = temporaryFolder()
  const lines: string[] = []
  const variables = {
    NAMEAUTH_DOMAIN: 'names.example',
    NAMEAUTH_NAMES_BIND: '127.0.0.1:0',
    NAMEAUTH_DATA_DIR: folder,
    ...settings,
  }
  const config = loadNameauthConfig(openEnvironment({ variables }))
  const log = createLog({ human: false, write: (line) => void lines.push(line) })
  const daemon = await openNameDaemon(config, { version: '0.0.0-test', log })
  return {
    daemon,
    folder,
    config,
    /** What it logged, the texts alone. */
    logMessages: (): readonly string[] => lines.map((line) => String(JSON.parse(line).msg)),
    get: (path: string) => fetch(`${daemon.address()}${path}`),
    async close() {
      await daemon.stop()
      remove()
    },
  }
}
