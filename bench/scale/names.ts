// Name authorities on one database, 1, 2 and 3 of them, beside one with its file: claims and look-ups a second.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadNameauthConfig, openEnvironment } from '../../src/config/index.js'
import { migrateStore } from '../../src/daemons/store-admin.js'
import { offer } from '../load.js'
import { claimOf } from '../names-claims.js'
import { type NameServer, startNames } from '../names-daemon.js'
import { sendAll } from '../posts.js'
import type { FrontEnds, Load, Service } from './front-ends.js'

const CLIENTS = 48
const CLAIMS = { full: 1200, one: 150 }
const LOOKUPS = { seconds: 3, connections: 16, names: 2000 }
const KNOWN = 400

let made = 0
const freshName = (): string => `s${process.pid}x${++made}`

const claims: Load = {
  what: 'claims',
  isRepeated: false,
  takesTurns: true,
  async run(servers, size) {
    const clients = size === 'one' ? 1 : CLIENTS
    // Signed ahead: that is the client's work, and the clients share the machine.
    const posts = servers.map((server) =>
      Array.from({ length: Math.ceil(CLAIMS[size] / servers.length) }, () => claimOf(server, freshName()).post),
    )
    return async () => {
      await Promise.all(
        servers.map((server, at) => sendAll(server, posts[at] ?? [], Math.ceil(clients / servers.length))),
      )
      return posts.reduce((sum, { length }) => sum + length, 0)
    }
  },
}

/** Of names that are held, each asked for from an address of its own. Front ends keep an answer for two seconds. */
const lookUps: Load = {
  what: 'look-ups',
  isRepeated: false,
  takesTurns: false,
  async run(servers, size) {
    const names = Array.from({ length: KNOWN }, freshName)
    const [first] = servers
    if (first)
      await sendAll(
        first,
        names.map((name) => claimOf(first, name).post),
        CLIENTS,
      )
    const requests = Array.from({ length: LOOKUPS.names }, (_, index) => ({
      path: `/.well-known/nostr.json?name=${names[index % names.length]}`,
      headers: { 'x-real-ip': `10.1.${index >> 8}.${index & 255}` },
    }))
    const connections = size === 'one' ? 1 : Math.ceil(LOOKUPS.connections / servers.length)
    return async () => {
      const results = await Promise.all(
        servers.map((server) => offer({ server, requests, connections, seconds: LOOKUPS.seconds })),
      )
      return results.reduce((sum, { perSecond }) => sum + perSecond * LOOKUPS.seconds, 0)
    }
  },
}

async function startEmbedded(): Promise<FrontEnds> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-scale-'))
  const server = await startNames(join(folder, 'names.db'))
  return { servers: [server], stop: () => stopAll([server], folder) }
}

async function startShared(url: string, count: number): Promise<FrontEnds> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-scale-'))
  const file = join(folder, 'url')
  writeFileSync(file, url, { mode: 0o600 })
  const schema = `names_${++made}`
  const settings = { NAMEAUTH_DATABASE_URL_FILE: file, NAMEAUTH_DATABASE_SCHEMA: schema }
  const variables = { NAMEAUTH_DOMAIN: 'names.example', NAMEAUTH_DATA_DIR: folder, ...settings }
  const { database, dbPath, dataDir } = loadNameauthConfig(openEnvironment({ form: 'plain', variables }))
  await migrateStore({ path: dbPath, dataDir, database })
  const servers: NameServer[] = []
  for (let each = 0; each < count; each++) {
    const own = { ...settings, NAMEAUTH_NAMES_DB: '', NAMEAUTH_DATA_DIR: join(folder, String(each)) }
    servers.push(await startNames(join(folder, 'unused'), own))
  }
  return { servers, stop: () => stopAll(servers, folder) }
}

async function stopAll(servers: readonly NameServer[], folder: string): Promise<void> {
  await Promise.all(servers.map((server) => server.stop()))
  rmSync(folder, { recursive: true, force: true })
}

export const names: Service = { what: 'names', loads: [claims, lookUps], startEmbedded, startShared }
