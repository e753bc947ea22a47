// Settings of the originals that mean nothing here, and what takes their place (specification: relay, 11.2).
import { variableOf } from './relay-setting.js'

export const RETIRED_SECTIONS: Readonly<Record<string, string>> = {
  logging: 'logs go to the standard output; remove it',
  diagnostics: 'remove it; --log-level says how much is logged',
  grpc: 'write_policy.plugin decides about events from outside',
  verified_users: 'authorization.require_name takes its place',
  pay_to_relay: 'pay.pay_mode takes its place',
}

export const RETIRED_KEYS: Readonly<Record<string, string>> = {
  'database.engine': 'there is one engine; remove it',
  'database.in_memory': 'remove it',
  'database.min_conn': 'remove it',
  'database.max_conn': 'remove it',
  'database.connection': 'remove it',
  'database.connection_write': 'remove it',
  'limits.messages_per_sec': 'limits are per connection here: limits.events_per_min_per_connection',
  'limits.db_conns_per_client': 'remove it',
  'limits.max_blocking_threads': 'remove it',
  'limits.max_ws_frame_bytes': 'limits.max_ws_message_bytes counts for frames too',
  'limits.broadcast_buffer': 'limits.max_pending_bytes takes its place',
  'limits.event_persist_buffer': 'remove it',
  'limits.limit_scrapers': 'remove it; limits.max_limit bounds every answer',
}

/** The same as variables. */
export const RETIRED_VARIABLES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(RETIRED_KEYS).map(([key, remedy]) => [variableOf(key), remedy]),
)
