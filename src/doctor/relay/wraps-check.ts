// What the relay is for: gift wraps, small and large, published and delivered; taken away again afterwards.
import { existsSync } from 'node:fs'
import { messageOf } from '../../lib/errors.js'
import type { Secret } from '../../lib/secret.js'
import { GIFT_WRAP_KIND } from '../../nostr/event/index.js'
import { freshSecret, publicKeyOf } from '../../nostr/keys/index.js'
import { changeEvents } from '../../storage/index.js'
import { ownerInTheWay } from '../../system/index.js'
import { ask } from '../ask.js'
import { type Finding, fail, pass, warn } from '../finding.js'
import { ANSWER_MS, openTalk, type Talk } from '../relay-talk.js'
import { roundTrip, type Trip } from '../round-trip.js'
import type { RelayCheck, RelayDoctorContext } from './context.js'
import { localUrl } from './daemon-check.js'

const SILENCE = `no answer within ${ANSWER_MS / 1000} s`

export const wrapsCheck: RelayCheck = {
  name: 'wraps',
  limitMs: 45_000,
  async run(context) {
    const receiver = freshSecret(context.random)
    const talks: Talk[] = []
    try {
      const reader = await openSomewhere(context, receiver)
      talks.push(reader.talk)
      const key = freshSecret(context.random)
      const writer = await openTalk({ ...context, url: reader.url, key, eager: false })
      talks.push(writer)
      const found = await tried(context, { reader: reader.talk, writer, receiver })
      return [...found, ...(await cleaned(context, publicKeyOf(receiver)))]
    } catch (thrown) {
      const health = await ask({ url: `${localUrl(context)}/health`, signal: context.signal })
      if ('why' in health) return [] // the check of the daemon reports it
      return [fail(`cannot be tried: ${messageOf(thrown)}`, 'grinpay doctor --daemon relay --check daemon')]
    } finally {
      for (const talk of talks) talk.close()
    }
  },
}

/**
 * Clients sign the public address, so a relay that asks for authentication accepts only that one. The check of the address reports what
 * is wrong with it; then the relay itself is tried.
 */
async function openSomewhere(context: RelayDoctorContext, key: Secret<Uint8Array>) {
  const local = localUrl(context).replace(/^http/, 'ws')
  const [first = local] = context.config.relay.info.relayUrls
  const open = async (url: string) => ({ url, talk: await openTalk({ ...context, url, key, eager: true }) })
  return first === local ? open(local) : open(first).catch(() => open(local))
}

interface Ends {
  readonly reader: Talk
  readonly writer: Talk
  readonly receiver: Secret<Uint8Array>
}

async function tried(context: RelayDoctorContext, ends: Ends): Promise<readonly Finding[]> {
  const heard = await ends.reader.listen('doctor', publicKeyOf(ends.receiver))
  if (heard !== 'listening')
    return [fail(`refuses subscriptions: ${heard === 'silent' ? SILENCE : heard.refused}`, remedyFor(''))]
  const travel = (large: boolean) => roundTrip({ ...ends, ...context, sender: freshSecret(context.random), large })
  const small = await travel(false)
  if (small.outcome !== 'arrived') return [verdictOn(small, 'a gift wrap (kind 1059)', context)]
  const large = await travel(true)
  if (large.outcome !== 'arrived') return [verdictOn(large, 'a gift wrap of 40 KB', context)]
  return [pass(`gift wraps are taken and delivered in ${small.ms} ms, of 40 KB in ${large.ms} ms`)]
}

const isClosedOnPurpose = ({ config: { policy } }: RelayDoctorContext): boolean =>
  policy.requireAuth || policy.requireName || policy.payMode === 'write' || policy.whitelist !== undefined

function verdictOn(trip: Trip, what: string, context: RelayDoctorContext): Finding {
  if (trip.outcome !== 'refused')
    return fail(`takes ${what} and never delivers it`, 'systemctl restart grinpay-relay; journalctl -u grinpay-relay')
  const refusal = `refuses ${what}: ${trip.message || 'without a reason'}`
  return isClosedOnPurpose(context)
    ? warn(`${refusal}, as the settings want it`, CLOSED)
    : fail(refusal, remedyFor(trip.message))
}

const CLOSED = 'for wallets remove authorization.require_auth_to_write, require_name, pubkey_whitelist, pay.pay_mode'

/** By what the relay says. */
const REFUSALS: readonly (readonly [begins: string, remedy: string])[] = [
  [
    'blocked: event kind',
    'limits.event_kind_allowlist must have 1059 or be "all", limits.event_kind_blacklist must not have it, nor grinpay relay ban --list',
  ],
  ['blocked:', 'grinpay relay ban --list shows who and what is banned'],
  ['invalid: event too large', 'set limits.max_event_bytes to 131072'],
  ['invalid: created_at', 'timedatectl set-ntp true; options.reject_past_seconds must be 172800 or more'],
  ['rate-limited:', 'raise limits.events_per_min_per_connection'],
  ['error:', 'write_policy.plugin does not answer, or the disk is full: journalctl -u grinpay-relay'],
]
const remedyFor = (message: string): string =>
  REFUSALS.find(([begins]) => message.startsWith(begins))?.[1] ?? 'journalctl -u grinpay-relay'

/** Removes the events of the trial, where this user may change the database. */
async function cleaned({ config, clock }: RelayDoctorContext, pubkey: string): Promise<readonly Finding[]> {
  const { dbPath: path, dataDir } = config
  const stays = (why: string) =>
    warn(`two gift wraps of ours stay in the database: ${why}`, 'run the doctor as root, or as the user of the daemon')
  if (!existsSync(path)) return []
  const owner = ownerInTheWay(dataDir, 'write')
  if (owner !== undefined) return [stays(`it belongs to ${owner}`)]
  const filters = [{ kinds: [GIFT_WRAP_KIND], tags: [{ letter: 'p', values: [pubkey] }] }]
  return changeEvents({ path, clock }, { kind: 'remove', filters }).then(
    () => [],
    (thrown) => [stays(messageOf(thrown))],
  )
}
