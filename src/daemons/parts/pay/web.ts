// What the till listens with: its API, its pages, and what each of them may know.
import type { PayConfig } from '../../../config/index.js'
import { createApp, createReadiness } from '../../../http/index.js'
import type { Clock, Log, Random } from '../../../system/index.js'
import { type Till, tillHttp } from '../../../till/index.js'
import { checksOf, type Part } from '../../runtime.js'
import { processName } from '../process-name.js'
import { createWebPart } from '../web.js'
import type { LiveSecrets } from './live-secrets.js'
import { usableMethods } from './settings.js'
import { readShop } from './shop.js'

export interface TillWebParts {
  readonly config: PayConfig
  /** Of the package. */
  readonly version: string
  readonly log: Log
  /** A listening socket that was handed over. */
  readonly fd: number | undefined
  readonly till: Till
  readonly secrets: LiveSecrets
  /** Everything that `/ready` asks. */
  readonly inner: readonly Part[]
  readonly clock: Clock
  readonly random: Random
}

/** Throws what a shop's logo that cannot be read throws. */
export async function createTillWeb(parts: TillWebParts): Promise<Part> {
  const { config, version, log, fd, till, secrets, inner, clock, random } = parts
  const { trustedProxies, rateLimits, frameAncestors, statusOrigins, bind, tls } = config
  const app = createApp({ log, clock, random, trustedProxies, rateLimits, ...(tls ? { tls } : {}) })
  await app.register(tillHttp, {
    till,
    version,
    apiTokens: secrets.apiTokens,
    adminTokens: secrets.adminTokens,
    methods: usableMethods(config),
    readiness: createReadiness({ checks: () => checksOf(inner), clock }),
    frameAncestors,
    statusOrigins,
    shop: readShop(config),
    clock,
    process: processName(random),
  })
  await app.ready()
  return createWebPart({ app, ...bind, fd })
}
