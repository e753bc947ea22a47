// relay-compare: beside nostr-rs-relay, with the same durability (OK after a commit that is not synced).
import type { Measurement } from '../measurement.js'
import { compare } from './comparison.js'
import { hasOther, startOther } from './relays/other.js'

export const name = 'relay-compare'

export async function run(): Promise<readonly Measurement[]> {
  if (!hasOther()) {
    console.log('  left out: nostr-rs-relay is not installed (test/interop/install-rails.sh)')
    return []
  }
  return compare({
    name: 'nostr-rs-relay',
    whose: 'other',
    start: startOther,
    tries: 3,
    asked: (shape) => (shape === 'feed' ? 4 : shape === 'miss' ? 1000 : 60),
    published: 2000,
    bars: {
      query: (shape) => (shape === 'miss' ? undefined : 15),
      publish: 5,
      oneByOne: 1,
      inbox: 15,
      broadcast: 1.5,
      mix: 15,
    },
  })
}
