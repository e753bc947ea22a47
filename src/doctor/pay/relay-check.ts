// Every relay of the set, side by side: connect, send gift wraps to ourselves, look for the till's relay list.
import { messageOf } from '../../lib/errors.js'
import type { Secret } from '../../lib/secret.js'
import { RELAY_LIST_KIND } from '../../nostr/event/index.js'
import { freshSecret, publicKeyOf } from '../../nostr/keys/index.js'
import type { DoctorCheck, TillDoctorContext } from '../check.js'
import { about, type Finding, fail, warn } from '../finding.js'
import { openTalk, type Talk } from '../relay-talk.js'
import { roundTrip, type Trip } from '../round-trip.js'
import { type RelayFacts, verdictOn } from './relay-verdict.js'

/** The till publishes its lists to so many relays of its set (specification: invoicing, 4.2). */
const LISTED = 3

export const relayCheck: DoctorCheck = {
  name: 'relay',
  limitMs: 90_000,
  applies: ({ ingest }) => ingest,
  async run(context) {
    const { relays } = context.config
    const found = await Promise.all(
      relays.map(async (url, at) => about(url, await examineRelay(url, at < LISTED, context))),
    )
    return found.flat()
  },
}

/** The keys of one examination. */
interface Keys {
  /** The till's own, or a stand-in. */
  readonly main: Secret<Uint8Array>
  readonly standIn: boolean
  readonly once: Secret<Uint8Array>
  readonly payer: Secret<Uint8Array>
}

async function examineRelay(url: string, isListed: boolean, context: TillDoctorContext): Promise<readonly Finding[]> {
  const { random, identity } = context
  const { secret, pubkey } = await identity()
  const main = secret ?? freshSecret(random)
  const keys: Keys = { main, standIn: secret === undefined, once: freshSecret(random), payer: freshSecret(random) }
  const talks: Talk[] = []
  try {
    const reader = await openTalk({ ...context, url, key: keys.main, eager: true })
    talks.push(reader)
    const writer = await openTalk({ ...context, url, key: keys.payer, eager: false })
    talks.push(writer)
    const verdict = verdictOn(await factsOf({ reader, writer }, keys, context))
    const list = isListed && pubkey !== undefined && verdict.level !== 'fail' ? await listFinding(reader, pubkey) : []
    return [verdict, ...list]
  } catch (thrown) {
    const what = talks.length === 0 ? 'cannot be reached' : 'takes one connection of ours and no second one'
    return [
      fail(
        `${what}: ${messageOf(thrown)}`,
        'check the address (grinpay config show); while it is away nothing comes over it',
      ),
    ]
  } finally {
    for (const talk of talks) talk.close()
  }
}

async function factsOf(
  talks: { reader: Talk; writer: Talk },
  keys: Keys,
  context: TillDoctorContext,
): Promise<RelayFacts> {
  const { reader, writer } = talks
  const [mainHeard, onceHeard] = [
    await reader.listen('doctor-main', publicKeyOf(keys.main)),
    await reader.listen('doctor-once', publicKeyOf(keys.once)),
  ]
  const travel = (sender: Secret<Uint8Array>, receiver: Secret<Uint8Array>, large = false): Promise<Trip> =>
    roundTrip({ ...talks, ...context, sender, receiver, large })
  // To the main key we write ourselves: a running till knows its own hand and keeps quiet.
  const [once, main] = await Promise.all([travel(keys.payer, keys.once), travel(keys.main, keys.main)])
  const large = once.outcome === 'arrived' ? await travel(keys.payer, keys.once, true) : undefined
  return {
    mainHeard,
    onceHeard,
    main,
    once,
    large,
    challenged: reader.challenged(),
    authenticated: reader.authenticated(),
    writerAuthenticated: writer.authenticated(),
    standIn: keys.standIn,
  }
}

/** Without the list, wallets do not learn that the till reads NIP-44 version 3, nor where it reads. */
async function listFinding(reader: Talk, pubkey: string): Promise<readonly Finding[]> {
  const found = await reader.ask({ kinds: [RELAY_LIST_KIND], authors: [pubkey], limit: 1 })
  if (found.length > 0) return []
  return [
    warn(
      "does not have the till's relay list (kind 10050)",
      'start the till: it publishes the list, and again every day',
    ),
  ]
}
