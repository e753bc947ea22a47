// Looks at the world before a setup writes anything. A failed look is a warning: the world may be up later.

import { lookup } from 'node:dns/promises'
import { createServer } from 'node:net'
import { messageOf } from '../lib/errors.js'
import { foreignText } from '../lib/foreign-text.js'

/** How long one look may take, in milliseconds. */
export const LOOK_MS = 5_000

/** One thing that was looked at. */
export interface Look {
  readonly ok: boolean
  readonly text: string
}

/** Whether name servers know the host; `what` it is, for people. */
export async function resolves(what: string, host: string): Promise<Look> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`no answer within ${LOOK_MS / 1000} s`)), LOOK_MS).unref()
  })
  try {
    const { address } = await Promise.race([lookup(host), late])
    return { ok: true, text: `${what} ${host}: ${address}` }
  } catch (error) {
    return { ok: false, text: `${what} ${host} has no address yet (${codeOf(error)})` }
  }
}

/** Takes the port for a moment; says nothing when that went well. */
export function isFree(bind: string): Promise<readonly Look[]> {
  const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(bind) ?? []
  const server = createServer()
  return new Promise((done) => {
    server.once('error', (error) => done([{ ok: false, text: `cannot listen on ${bind} now (${codeOf(error)})` }]))
    server.listen({ host, port: Number(port) }, () => server.close(() => done([])))
  })
}

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? foreignText(error.code) : messageOf(error)
