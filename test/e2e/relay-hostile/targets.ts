// What is attacked.
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type RelayProcess, startRelay } from '../../support/relay-process.js'
import { ALL_KINDS, writers } from '../../support/wire-people.js'

interface Targets {
  /** Takes long messages, and compressed ones. */
  relay: RelayProcess
  /** Publishing is paid for, and the authority that knows who has paid is `authority`. */
  paid: RelayProcess
  authority: Server
  /** What the authority answers. */
  answer: { status: number; body: string }
}

/** Filled when all have started. */
export const targets = {} as Targets

const everything = () => ({ 'limits.event_kind_allowlist': ALL_KINDS, 'authorization.public_note_authors': writers() })

export async function startTargets(): Promise<void> {
  targets.answer = { status: 500, body: 'oops' }
  targets.authority = createServer((_request, response) => {
    const { status, body } = targets.answer
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => targets.authority.listen(0, '127.0.0.1', resolve))
  const { port } = targets.authority.address() as AddressInfo
  const [relay, paid] = await Promise.all([
    startRelay({ ...everything(), 'network.compression': true, 'limits.max_ws_message_bytes': 2_097_152 }),
    startRelay({
      ...everything(),
      'pay.pay_mode': 'write',
      'authority.mode': 'upstream',
      'authority.upstream': `http://127.0.0.1:${port}`,
    }),
  ])
  Object.assign(targets, { relay, paid })
}

export async function stopTargets(): Promise<void> {
  targets.authority?.close()
  targets.authority?.closeAllConnections()
  await Promise.all([targets.relay?.remove(), targets.paid?.remove()])
}

/** Resident bytes of a process. */
export function residentBytes({ child }: RelayProcess): number {
  const [, kib = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1024
}

export const MEBIBYTE = 1024 * 1024
