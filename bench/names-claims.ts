// Claims of names by clients at once, each signed ahead with a key of its own, beside what the disk does meanwhile.

import { checkHttpAuth } from '../src/nostr/http-auth/index.js'
import { signedClaim } from '../test/support/name-process.js'
import { keyPairOf } from '../test/support/nostr.js'
import { fsyncRate, type Server } from './load.js'
import { type Measurement, median } from './measurement.js'
import type { NameServer } from './names-daemon.js'
import { postOf, sendAll } from './posts.js'
import { processorMsOf } from './process.js'

const CLIENTS = 64
const ROUNDS = 7
const PER_ROUND = 1200
const TIMES_THE_DISK = 5

interface Claim {
  readonly post: Buffer
  /** Processor time of checking its signature, measured. */
  check(): void
}

interface Round {
  /** The disk's own rate, right before and right after. */
  readonly disk: number
  readonly perSecond: number
  /** Of the whole server, for one claim. */
  readonly processorMs: number
  /** Of checking one signed request, in this process. */
  readonly checkMs: number
}

/** `folder` is where the database lies. */
export async function claims(server: NameServer, folder: string): Promise<readonly Measurement[]> {
  const rounds: Round[] = []
  await oneRound(server, folder, 0)
  for (let turn = 1; turn <= ROUNDS; turn++) rounds.push(await oneRound(server, folder, turn))
  return measurementsOf(rounds)
}

async function oneRound(server: NameServer, folder: string, turn: number): Promise<Round> {
  const prepared = Array.from({ length: PER_ROUND }, (_, index) => claimOf(server, `c${turn}x${index}`))
  const checkMs = perRequest(() => {
    for (const { check } of prepared) check()
  })
  const early = fsyncRate(0.5, folder)
  const before = processorMsOf(server.pid)
  const posts = prepared.map(({ post }) => post)
  const perSecond = await sendAll(server, posts, CLIENTS)
  const processorMs = (processorMsOf(server.pid) - before) / PER_ROUND
  const disk = 2 / (1 / early + 1 / fsyncRate(0.5, folder))
  return { disk, perSecond, processorMs, checkMs }
}

function perRequest(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / PER_ROUND
}

export function claimOf(server: Server, name: string): Claim {
  const { body, authorization } = signedClaim(server.url, keyPairOf(`bench ${name}`), name)
  const path = '/api/v1/register'
  const request = { authorization, method: 'POST', url: server.url + path, body: Buffer.from(body), maxAge: 3600 }
  return {
    post: postOf(server, path, { authorization, 'content-type': 'application/json' }, body),
    check() {
      const verdict = checkHttpAuth({ ...request, now: Math.floor(Date.now() / 1000) })
      if ('refusal' in verdict) throw new Error(verdict.refusal)
    },
  }
}

function measurementsOf(rounds: readonly Round[]): readonly Measurement[] {
  const middle = (of: (round: Round) => number) => median(rounds.map(of))
  const what = `POST /api/v1/register, ${CLIENTS} clients`
  return [
    { what: 'append and fdatasync, 4 KiB, meanwhile', value: middle(({ disk }) => disk), unit: '/s' },
    {
      what,
      value: middle(({ perSecond }) => perSecond),
      unit: '/s',
      ratio: { to: 'fsync/s', value: middle(({ perSecond, disk }) => perSecond / disk) },
      target: { of: 'ratio', atLeast: TIMES_THE_DISK },
    },
    { what: `${what}: processor`, value: middle(({ processorMs }) => processorMs), unit: 'ms each' },
    {
      what: `${what}: of that checking who signed`,
      value: middle(({ checkMs }) => checkMs),
      unit: 'ms each',
      ratio: { to: 'the whole claim', value: middle(({ checkMs, processorMs }) => checkMs / processorMs) },
    },
  ]
}
