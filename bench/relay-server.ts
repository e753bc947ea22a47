// A relay in a process of its own: what it costs is not the till's. Prints its address.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadRelayConfig, openEnvironment } from '../src/config/index.js'
import { openRelayDaemon } from '../src/daemons/relay.js'
import { openLog } from '../src/system/index.js'

const variables = {
  RELAY_NETWORK_PORT: '0',
  RELAY_DATABASE_DATA_DIRECTORY: mkdtempSync(join(tmpdir(), 'grinpay-bench-')),
}
const config = loadRelayConfig({ environment: openEnvironment({ variables }) })
const daemon = await openRelayDaemon(config, { version: 'bench', log: await openLog({ level: 'error' }) })
await daemon.start()
console.log(daemon.address().replace(/^http/, 'ws'))
