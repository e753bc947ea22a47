// The console of a daemon: its database beside that of the daemon, its areas, and a listener of its own. Loaded only when it is on.
import type { Bind } from '../../config/index.js'
import { type ConsoleArea, consoleHosts, createConsoleApp, createPeopleArea } from '../../console/index.js'
import { openViews, templatesOf } from '../../http/index.js'
import { openConsoleStore } from '../../storage/index.js'
import { consoleFile, type SystemClock, type SystemLog, type SystemRandom } from '../../system/index.js'
import type { Part } from '../runtime.js'
import { createWebPart } from './web.js'

type AppOptions = Parameters<typeof createConsoleApp>[0]

export interface ConsolePartOptions extends Pick<AppOptions, 'site' | 'trustedProxies' | 'addressHeader'> {
  /** Of the daemon's database. */
  readonly dbPath: string
  readonly bind: Bind
  /** Public address; undefined: this machine only. */
  readonly url: string | undefined
  /** Of the daemon. People, sessions and the audit log join them. */
  readonly areas: readonly ConsoleArea[]
  readonly log: SystemLog
  readonly clock: SystemClock
  readonly random: SystemRandom
}

/** Of another daemon on this machine. */
export interface AreasBeside {
  readonly areas: readonly ConsoleArea[]
  /** Ends what it holds open, where it does. */
  close?(): Promise<void>
}

/** Opens the database; listening throws ADDRESS_IN_USE. */
export async function createConsolePart(options: ConsolePartOptions): Promise<Part> {
  const { dbPath, bind, url, areas, clock, ...rest } = options
  const store = await openConsoleStore({ path: consoleFile(dbPath) })
  const app = await createConsoleApp({
    ...rest,
    clock,
    store,
    areas: [...areas, createPeopleArea({ store, clock })],
    hosts: consoleHosts(bind, url),
    views: openViews(templatesOf('console')),
  })
  const web = createWebPart({ app, ...bind, name: 'console' })
  return {
    ...web,
    async stop() {
      await web.stop()
      await store.close()
    },
  }
}
