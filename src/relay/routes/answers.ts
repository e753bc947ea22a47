// How the relay answers over HTTP: there is little to find, and what is not there says so in two words.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { beginProblem, sendProblem } from '../../http/index.js'

const NOT_FOUND = 404

/** wire: the originals' text. */
const NOTHING = 'Nothing here.'

/** Answers any error; for `createApp`, so that also what meets no route is answered like this. */
function sendRelayProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!isNotFound(error)) return sendProblem(error, request, reply)
  beginProblem(error, request, reply)
  return reply.type('text/plain; charset=utf-8').send(NOTHING)
}

const isNotFound = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && error.status === NOT_FOUND

/** What `createApp` is to be given beside the usual; the page sets the rest of its headers itself. */
export const RELAY_APP = {
  headers: { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' },
  problem: sendRelayProblem,
} as const
