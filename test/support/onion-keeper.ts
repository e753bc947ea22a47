// A keeper of an onion service against some control port, its log lines, and waiting for what it says.
import { readFileSync } from 'node:fs'
import { fromHex } from '../../src/lib/bytes.js'
import { Secret } from '../../src/lib/secret.js'
import { createOnionKeeper, type OnionKeeperParts } from '../../src/tor/index.js'
import { createFakeClock } from './fake-clock.js'
import { createWatched } from './watched.js'

interface AddressVector {
  readonly ed25519_seed: string
  readonly onion: string
}

/** The addresses of test/vectors/pay/address.json: seed, and onion without its ending. */
export const ADDRESSES = (
  JSON.parse(readFileSync('test/vectors/pay/address.json', 'utf8')) as { readonly vectors: readonly AddressVector[] }
).vectors.map(({ ed25519_seed, onion }) => ({ seed: fromHex(ed25519_seed, 32), onion: onion.replace('.onion', '') }))

/** The address used where any will do. */
export const ADDRESS = ADDRESSES[0]!

export interface LogLine {
  readonly level: 'info' | 'warn'
  readonly fields: object
  readonly text: string
}

type Given = Pick<OnionKeeperParts, 'clock' | 'control'> & Partial<OnionKeeperParts>

/** Not started. `line(text, n)` resolves when the n-th line with this text in it was logged. */
export function keeperOf(given: Given) {
  const lines = createWatched<LogLine>()
  const note = (level: LogLine['level']) => (fields: object, text: string) => lines.note({ level, fields, text })
  const keeper = createOnionKeeper({
    seed: new Secret(ADDRESS.seed),
    onion: ADDRESS.onion,
    port: 3416,
    random: { bytes: (length) => new Uint8Array(length).fill(255) },
    log: { info: note('info'), warn: note('warn') },
    ...given,
  })
  const line = async (text: string, times?: number): Promise<string> =>
    printed(await lines.reached((one) => printed(one).includes(text), times))
  return { keeper, lines: lines.items, printed: () => lines.items.map(printed), line }
}

const printed = ({ level, text, fields }: LogLine): string => `${level} ${text} ${JSON.stringify(fields)}`

/** Time that stands still, and tells when a caller goes to sleep: `nap(ms, n)` resolves when the n-th sleep of that length began. */
export function createNapClock() {
  const clock = createFakeClock()
  const naps = createWatched<number>()
  return {
    ...clock,
    naps: naps.items,
    nap: (ms: number, times?: number) => naps.reached((nap) => nap === ms, times),
    sleep(ms: number, signal?: AbortSignal) {
      const slept = clock.sleep(ms, signal)
      naps.note(ms)
      return slept
    },
  }
}
