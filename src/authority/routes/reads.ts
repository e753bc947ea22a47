// What anybody may ask: NIP-05, availability, and who holds what. The busiest routes: their JSON is put together by hand.
import type { FastifyPluginAsync } from 'fastify'
import type { Availability, Holder } from '../api.js'
import { invalidRequest, nothingHere } from '../errors.js'
import { sendJson } from './answers.js'
import { parameter, type RouteParts } from './parts.js'
import { PATHS } from './paths.js'

export const readRoutes: FastifyPluginAsync<RouteParts> = async (app, { authority, buckets }) => {
  const { names, settings } = authority
  const limited = { onRequest: buckets.read }
  const nip05 = nip05Printer(settings.relays)

  app.get<{ Querystring: { name?: string | string[] } }>(PATHS.nip05, limited, async ({ query: { name } }, reply) => {
    if (Array.isArray(name)) throw invalidRequest()
    return sendJson(reply, nip05(name ? await names.lookup(name) : undefined))
  })

  app.get<{ Params: { name: string } }>(PATHS.availability, limited, async ({ params }, reply) =>
    sendJson(reply, printAvailability(await names.availability(parameter(params.name)))),
  )

  app.get<{ Params: { name: string } }>(PATHS.profile, limited, async ({ params }, reply) =>
    sendJson(reply, printHolder(await names.lookup(parameter(params.name)))),
  )

  app.get<{ Params: { pubkey: string } }>(PATHS.byPubkey, limited, async ({ params }, reply) =>
    sendJson(reply, printHolder(await names.nameOf(parameter(params.pubkey)))),
  )
}

/** The document never lists another name than the one asked for; nobody holds it: two empty maps (specification: names, 7). */
function nip05Printer(relays: readonly string[]): (holder: Holder | undefined) => string {
  const list = JSON.stringify(relays)
  return (holder) =>
    holder
      ? `{"names":{${JSON.stringify(holder.name)}:"${holder.pubkey}"},"relays":{"${holder.pubkey}":${list}}}`
      : '{"names":{},"relays":{}}'
}

/** A free name has no reason; `state` says the same in one word. */
const printAvailability = ({ name, state }: Availability): string =>
  state === 'free'
    ? `{"name":${JSON.stringify(name)},"available":true,"state":"free"}`
    : `{"name":${JSON.stringify(name)},"available":false,"reason":"${state}","state":"${state}"}`

function printHolder(holder: Holder | undefined): string {
  if (!holder) throw nothingHere()
  return `{"name":${JSON.stringify(holder.name)},"pubkey":"${holder.pubkey}"}`
}
