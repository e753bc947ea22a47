// The relays that are asked: one process for each way to set it up.
import { type RelayProcess, startRelay } from '../../support/relay-process.js'
import { ALL_KINDS, person, writers } from '../../support/wire-people.js'

export const ADMIN = person('admin')
const NAME = 'Relay <b>of</b> "Ours"'
export const INFO = {
  name: NAME,
  description: 'A place & a line.',
  pubkey: person('operator').pubkey,
  contact: 'mailto:relay@example.com',
  relay_icon: 'https://relay.example/icon.png',
  banner: 'https://relay.example/banner.png',
  privacy_policy: 'https://relay.example/privacy',
  terms_of_service: 'https://relay.example/terms',
}

/** The content of an event chooses its answer. */
const PLUGIN = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { event, authed } = JSON.parse(line)
  const say = (answer) => process.stdout.write(JSON.stringify(answer) + '\\n')
  if (event.content === 'hang') return
  if (event.content === 'die') process.exit(1)
  if (event.content === 'lie') return say({ id: 'f'.repeat(64), action: 'accept', msg: '' })
  if (event.content === 'odd') return say({ id: event.id, action: 'perhaps', msg: '' })
  if (event.content === 'noise') process.stdout.write('no json\\n')
  if (event.content === 'no') return say({ id: event.id, action: 'reject', msg: 'blocked: the plugin says no' })
  if (event.content === 'shadow') return say({ id: event.id, action: 'shadowReject', msg: 'quietly' })
  say({ id: event.id, action: 'accept', msg: '' })
})`

export interface Relays {
  /** Takes everything from those on its list; no client has to authenticate. */
  readonly open: RelayProcess
  /** As it comes. */
  readonly usual: RelayProcess
  /** Asks who is there, shows gift wraps to their recipients only, is managed over HTTP. */
  readonly gated: RelayProcess
  /** Small limits, and publishing needs a proven key. */
  readonly strict: RelayProcess
  /** Asks a plugin; neither counts nor compares. */
  readonly asking: RelayProcess
}

/** Filled when the relays have started. */
export const relays = {} as { -readonly [Name in keyof Relays]: Relays[Name] }

const everything = () => ({ 'limits.event_kind_allowlist': ALL_KINDS, 'authorization.public_note_authors': writers() })

export async function startRelays(entry: string, pluginPath: string, writePlugin: (text: string) => void) {
  writePlugin(PLUGIN)
  const info = Object.fromEntries(Object.entries(INFO).map(([name, value]) => [`info.${name}`, value]))
  const [open, usual, gated, strict, asking] = await Promise.all([
    startRelay({ ...everything(), 'limits.gift_wrap_recipient_delete': true }, entry),
    startRelay(info, entry),
    startGated(entry),
    startRelay({ ...everything(), ...SMALL }, entry),
    startRelay(
      {
        ...everything(),
        'write_policy.plugin': `"${process.execPath}" "${pluginPath}"`,
        'write_policy.timeout_seconds': 1,
        'count.max': 0,
        'negentropy.enabled': false,
      },
      entry,
    ),
  ])
  Object.assign(relays, { open, usual, gated, strict, asking })
}

const SMALL = {
  'authorization.require_auth_to_write': true,
  'limits.max_event_bytes': 2048,
  'limits.max_ws_message_bytes': 4096,
  'limits.max_content_length': 20,
  'limits.max_tags': 3,
  'limits.max_tag_value_bytes': 10,
  'limits.max_subscriptions': 2,
  'limits.max_filters': 2,
  'limits.max_filter_values': 5,
  'limits.default_limit': 2,
  'limits.max_limit': 3,
  'limits.events_per_min_per_connection': 6,
  'limits.subscriptions_per_min': 8,
  'authorization.max_keys': 2,
  'count.max': 2,
  'negentropy.max_sync_events': 2,
  'network.ping_interval_seconds': 5,
}

const startGated = (entry: string) =>
  startRelay(
    {
      ...everything(),
      'authorization.nip42_auth': true,
      'authorization.gift_wraps_to_recipient': true,
      'management.admins': [ADMIN.pubkey],
    },
    entry,
  )

export async function stopRelays(): Promise<void> {
  await Promise.all(Object.values(relays).map((relay) => relay.remove()))
}
