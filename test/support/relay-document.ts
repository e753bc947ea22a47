// What the document of a relay (NIP-11) says where nothing is set, and what a wallet looks for in it.

/** Limits of a relay with defaults (specification: relay, 5 and 11.3). */
export const USUAL_LIMITATION = {
  max_message_length: 262_144,
  max_subscriptions: 20,
  max_limit: 500,
  max_subid_length: 64,
  max_event_tags: 2000,
  max_content_length: 131_072,
  created_at_lower_limit: 94_608_000,
  created_at_upper_limit: 900,
  default_limit: 500,
}

/** What a wallet asks of a relay before it uses it (specification: relay, 2). */
export function passesTheGate({ limitation }: { readonly limitation: Readonly<Record<string, unknown>> }): boolean {
  const atLeast = (value: unknown, least: number) => value === undefined || Number(value) >= least
  const flags = ['payment_required', 'restricted_writes', 'auth_required']
  return (
    atLeast(limitation.max_message_length, 131_072) &&
    atLeast(limitation.created_at_lower_limit, 172_800) &&
    flags.every((flag) => limitation[flag] !== true)
  )
}
