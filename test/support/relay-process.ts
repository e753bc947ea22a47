// A relay as an operator runs it: `serve relay` in a process of its own, with a settings file, its data in a temporary folder.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startDaemon, type TillProcess } from './till-process.js'
import { type WireClient, type WireOptions, wireClient } from './wire-client.js'

export interface RelayProcess extends TillProcess {
  readonly port: number
  /** `ws://`, as the relay knows itself. */
  readonly address: string
  /** Its settings file. */
  readonly config: string
  client(options?: WireOptions): Promise<WireClient>
  /** Hangs up all clients, ends the process and deletes its data. */
  remove(): Promise<void>
}

/** Settings by their dotted names. The port and the address of the relay are added. */
export type RelayOptions = Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>

/** Waits until it answers. `entry`: of the command, where it is installed somewhere else. */
export async function startRelay(
  options: RelayOptions,
  entry?: string,
  args: readonly string[] = [],
): Promise<RelayProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-relay-'))
  const port = await freePort()
  const bind = `127.0.0.1:${port}`
  const address = `ws://${bind}`
  const all = { 'info.relay_url': address, ...options, 'network.port': port, 'database.data_directory': folder }
  const config = join(folder, 'relay.toml')
  writeFileSync(config, Object.entries(all).map(lineOf).join(''))
  const command = ['serve', 'relay', '--config', config, ...args]
  const daemon = await startDaemon({ ...(entry && { entry }), command, settings: { HOME: folder }, bind, cwd: folder })
  const clients: WireClient[] = []
  return {
    ...daemon,
    port,
    address,
    config,
    async client(wanted) {
      const client = await wireClient(`ws://${bind}`, wanted)
      clients.push(client)
      return client
    },
    async remove() {
      for (const client of clients) client.close()
      await daemon.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** JSON of texts, numbers and lists of them is TOML too. */
const lineOf = ([name, value]: readonly [string, unknown]): string => `${name} = ${JSON.stringify(value)}\n`
