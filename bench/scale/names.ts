// Name authorities on one database, up to three, beside one with its file: claims and look-ups a second.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NAMES_SERVICE } from '../../src/storage/postgres/services.js'
import { offer, type Server } from '../load.js'
import { claimOf } from '../names-claims.js'
import { type NameServer, startNames } from '../names-daemon.js'
import { sendAll } from '../posts.js'
import { freshSchema, urlFileIn } from './database.js'
import { type FrontEnds, firstOf, type Load, postsTo, type Service, stopAll } from './front-ends.js'

const LOOKUPS = { seconds: 1, requests: 2000 }
const KNOWN = 400

let made = 0
const freshName = (): string => `s${process.pid}x${++made}`

const claims: Load = {
  what: 'name claims',
  answers: { 1: 150, 32: 1000 },
  takesTurns: true,
  // Signed ahead: that is the client's work, and the clients share the machine.
  prepare: (servers, size) =>
    postsTo(servers, size, (server, count) => Array.from({ length: count }, () => claimOf(server, freshName()).post)),
}

/** Names that are held, by front ends. */
const held = new WeakMap<readonly Server[], Promise<readonly string[]>>()

async function claimSome(servers: readonly Server[]): Promise<readonly string[]> {
  const names = Array.from({ length: KNOWN }, freshName)
  const server = servers[0] as Server
  await sendAll(
    server,
    names.map((name) => claimOf(server, name).post),
    32,
  )
  return names
}

/** Each asked for from an address of its own. Front ends on a database keep an answer for two seconds; the embedded one asks its file. */
const lookUps: Load = {
  what: 'name look-ups',
  answers: { 32: 1 },
  async prepare(servers, { clients }) {
    const names = held.get(servers) ?? claimSome(servers)
    held.set(servers, names)
    const known = await names
    const requests = Array.from({ length: LOOKUPS.requests }, (_, index) => ({
      path: `/.well-known/nostr.json?name=${known[index % known.length]}`,
      headers: { 'x-real-ip': `10.1.${index >> 8}.${index & 255}` },
    }))
    const connections = Math.ceil(clients / servers.length)
    return async () => {
      const { seconds } = LOOKUPS
      const results = await Promise.all(servers.map((server) => offer({ server, requests, connections, seconds })))
      return results.reduce((sum, { perSecond }) => sum + perSecond * seconds, 0)
    }
  },
}

export async function startEmbedded(entry?: string): Promise<FrontEnds> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-scale-'))
  const server = await startNames(join(folder, 'names.db'), {}, entry)
  return { servers: [server], stop: () => stopAll([server], folder) }
}

async function startShared(url: string, counts: readonly number[]): Promise<readonly FrontEnds[]> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-scale-'))
  const settings = {
    NAMEAUTH_DATABASE_URL_FILE: urlFileIn(folder, url),
    NAMEAUTH_DATABASE_SCHEMA: await freshSchema(url, NAMES_SERVICE),
    NAMEAUTH_NAMES_DB: '',
  }
  const servers: NameServer[] = []
  for (let at = 0; at < Math.max(...counts); at++)
    servers.push(await startNames(join(folder, 'unused'), { ...settings, NAMEAUTH_DATA_DIR: join(folder, String(at)) }))
  return firstOf(servers, counts, () => stopAll(servers, folder))
}

export const names: Service = {
  what: 'names',
  loads: [claims, lookUps],
  startEmbedded: () => startEmbedded(),
  startShared,
}
