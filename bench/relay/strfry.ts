// relay-strfry: beside strfry, which syncs every commit before its OK; ours waits for the commit alone.
import type { Measurement } from '../measurement.js'
import { compare } from './comparison.js'
import { hasStrfry, startStrfry } from './relays/strfry.js'

export const name = 'relay-strfry'

export async function run(): Promise<readonly Measurement[]> {
  if (!hasStrfry()) {
    console.log('  left out: strfry is not installed (GRINPAY_BENCH_STRFRY names the program)')
    return []
  }
  return compare({
    name: 'strfry',
    whose: 'strfry',
    start: startStrfry,
    tries: 1,
    asked: () => 1000,
    published: 8000,
    bars: { query: () => 1.2, publish: 4, oneByOne: 8, inbox: 5, broadcast: 5, mix: 1.2 },
  })
}
