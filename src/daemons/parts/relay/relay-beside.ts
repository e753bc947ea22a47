// The console's view of a relay in another process on this machine, found by its settings file. The file is read again when it changes: the relay may
// be set up, moved or away while the console runs.
import { readFileSync, statSync } from 'node:fs'
import { openEnvironment, type RelayFacts, readRelayFacts } from '../../../config/index.js'
import { causedBy, messageOf } from '../../../lib/errors.js'
import { localHostPort } from '../../../lib/url.js'
import { createMoveArea, createRelayArea, type Moves, type RelayView } from '../../../relay/console/index.js'
import { relayDataDir, type SystemClock, type SystemLog } from '../../../system/index.js'
import { relayUnreachable } from '../../errors.js'
import type { AreasBeside } from '../console.js'
import { readRelayBeside } from './console-beside.js'
import { type ObservedRelay, observeRelay } from './console-relay.js'
import { createMoves } from './moving/moves.js'

interface BesideParts {
  /** PAY_CONSOLE_RELAY: a TOML file. */
  readonly settingsFile: string
  readonly clock: SystemClock
  readonly log: SystemLog
}

interface OpenView extends ObservedRelay {
  readonly stamp: string
}

/** `close` ends the thread that counts, and an export or import under way. */
export function relayBeside({ settingsFile, clock, log }: BesideParts): {
  /** Throws CONSOLE_RELAY_UNREACHABLE. */
  view(): Promise<RelayView>
  mark(): string
  readonly moves: Moves
  close(): Promise<void>
} {
  const moves = createMoves({ places: () => placesOf(readSettings(settingsFile)), clock, log })
  let open: OpenView | undefined

  return {
    async view() {
      const stamp = stampOf(settingsFile)
      if (open?.stamp === stamp) return open.view
      const facts = readSettings(settingsFile)
      const before = open
      open = { stamp, ...observeRelay({ facts, reads: readRelayBeside({ facts, clock }), clock, log }) }
      await before?.part.stop()
      return open.view
    },
    mark: () => open?.mark() ?? '',
    moves: moves.moves,
    async close() {
      await moves.part.stop()
      await open?.part.stop()
    },
  }
}

const placesOf = ({ dbPath, bind, maxMessageBytes }: RelayFacts) => ({
  ...{ dbPath, maxMessageBytes },
  url: `ws://${localHostPort(bind.host, bind.port)}`,
})

/** Its pages, for the console of a till. */
export function relayAreasBeside(parts: BesideParts): AreasBeside {
  const { view, mark, moves, close } = relayBeside(parts)
  return { areas: [createRelayArea(view, mark), createMoveArea(moves)], close }
}

/** Differs when the file has changed; empty while there is none. */
function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? '' : `${found.ino} ${found.mtimeMs} ${found.size}`
}

/** Throws CONSOLE_RELAY_UNREACHABLE. */
function readSettings(path: string): RelayFacts {
  try {
    // The variables of this process are those of the till.
    const environment = openEnvironment({ variables: {} })
    return readRelayFacts({ environment, file: { path, text: readFileSync(path, 'utf8') } }, relayDataDir())
  } catch (thrown) {
    throw causedBy(relayUnreachable(path, messageOf(thrown)), thrown)
  }
}
