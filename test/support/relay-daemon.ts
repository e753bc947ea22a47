// The relay as `serve relay` composes it, over a database in a temporary folder, on real sockets of this machine.
import { loadRelayConfig, openEnvironment } from '../../src/config/index.js'
import { openRelayDaemon } from '../../src/daemons/relay.js'
import { systemClock } from '../../src/system/index.js'
import { createLog } from '../../src/system/log.js'
import { temporaryFolder } from './temporary-store.js'

/** `toml`: further settings; `dataDir`: of an earlier relay, which stays. */
export async function relayDaemon(toml = '', lent: { readonly dataDir?: string } = {}) {
  const { folder, remove } = lent.dataDir === undefined ? temporaryFolder() : { folder: lent.dataDir, remove() {} }
  const environment = openEnvironment({
    variables: { ...(toml.includes('port =') ? {} : { RELAY_NETWORK_PORT: '0' }) },
  })
  const config = loadRelayConfig({ environment, file: { path: 'relay.toml', text: toml } }, { dataDir: folder })
  const lines: string[] = []
  const log = createLog({ human: false, write: (line) => void lines.push(line) })
  // It is ten seconds old from the beginning: a relay refuses requests of managers that were signed before, or just after it started.
  let age = 10_000
  const clock = { ...systemClock, now: () => systemClock.now() - age }
  const daemon = await openRelayDaemon(config, { version: '0.0.0-test', log, clock })
  age = 0
  return {
    config,
    daemon,
    dataDir: folder,
    /** What went to the log. */
    logText: () => lines.join(''),
    get: (path: string, init?: RequestInit) => fetch(`${daemon.address()}${path}`, init),
    async close() {
      await daemon.stop()
      remove()
    },
  }
}
