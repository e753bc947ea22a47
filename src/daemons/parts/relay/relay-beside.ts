// The desk of a relay in another process on this machine, found by its settings file. The file is read again when it changes: the relay may
// be set up, moved or away while the console runs.
import { readFileSync, statSync } from 'node:fs'
import { openEnvironment, type RelayFacts, readRelayFacts } from '../../../config/index.js'
import { createMoveArea, createRelayArea, type MoveDesk, type RelayDesk } from '../../../console/index.js'
import { causedBy, messageOf } from '../../../lib/errors.js'
import { localHostPort } from '../../../lib/url.js'
import { relayDataDir, type SystemClock, type SystemLog } from '../../../system/index.js'
import { relayUnreachable } from '../../errors.js'
import type { Part } from '../../runtime.js'
import type { AreasBeside } from '../console.js'
import { openRelayBeside } from './console-beside.js'
import { createRelayDesk } from './console-relay.js'
import { createMoves } from './moving/moves.js'

interface BesideParts {
  /** PAY_CONSOLE_RELAY: a TOML file. */
  readonly settingsFile: string
  readonly clock: SystemClock
  readonly log: SystemLog
}

interface OpenDesk {
  readonly stamp: string
  readonly desk: RelayDesk
  readonly part: Part
}

/** `close` ends the thread that counts, and an export or import under way. */
export function relayBeside({ settingsFile, clock, log }: BesideParts): {
  readonly desk: RelayDesk
  readonly moves: MoveDesk
  close(): Promise<void>
} {
  const moves = createMoves({ places: () => placesOf(readSettings(settingsFile)), clock, log })
  let open: OpenDesk | undefined

  /** Throws CONSOLE_RELAY_UNREACHABLE. */
  async function current(): Promise<RelayDesk> {
    const stamp = stampOf(settingsFile)
    if (open?.stamp === stamp) return open.desk
    const facts = readSettings(settingsFile)
    const source = openRelayBeside({ facts, clock })
    const before = open
    open = { stamp, ...createRelayDesk({ facts, source, clock, log }) }
    await before?.part.stop()
    return open.desk
  }

  return {
    desk: {
      setup: async () => (await current()).setup(),
      activity: async () => (await current()).activity(),
      stored: async () => (await current()).stored(),
      mark: () => open?.desk.mark() ?? '',
      list: async (question) => (await current()).list(question),
      subject: async (list, text) => (await current()).subject(list, text),
      change: async (change, by) => (await current()).change(change, by),
    },
    moves: moves.desk,
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
  const { desk, moves, close } = relayBeside(parts)
  return { areas: [createRelayArea(desk), createMoveArea(moves)], close }
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
