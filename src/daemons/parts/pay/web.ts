// What the till listens with: its API, its pages, and what each of them may know.
import { Server } from 'node:https'
import type { PayConfig } from '../../../config/index.js'
import { createApp, createReadiness } from '../../../http/index.js'
import type { SystemClock, SystemLog, SystemRandom } from '../../../system/index.js'
import { type Till, tillHttp } from '../../../till/index.js'
import { checksOf, type Part } from '../../runtime.js'
import { processName } from '../process-name.js'
import { createWebPart } from '../web.js'
import { createLiveCertificate, type LiveCertificate, readTillCertificate } from './live-certificate.js'
import type { LiveSecrets } from './live-secrets.js'
import type { TillNetwork } from './network.js'
import { usableMethods } from './settings.js'
import { readShop } from './shop.js'

export interface TillWebParts {
  readonly config: PayConfig
  /** Of the package. */
  readonly version: string
  readonly log: SystemLog
  /** A listening socket that was handed over. */
  readonly fd: number | undefined
  readonly till: Till
  readonly secrets: LiveSecrets
  /** Everything that `/ready` asks. */
  readonly inner: readonly Part[]
  readonly clock: SystemClock
  readonly random: SystemRandom
  readonly listen?: TillNetwork['listen']
}

export interface TillWeb {
  readonly part: Part
  /** Of PAY_TLS=on. */
  readonly certificate: LiveCertificate | undefined
}

/** Throws what a shop's logo or a certificate that cannot be read throws. */
export async function createTillWeb(parts: TillWebParts): Promise<TillWeb> {
  const { config, version, log, fd, till, secrets, inner, clock, random, listen } = parts
  const { trustedProxies, rateLimits, frameAncestors, statusOrigins, bind, tls } = config
  const secured = tls && { tls: readTillCertificate(tls) }
  const app = createApp({ log, clock, random, trustedProxies, rateLimits, ...secured })
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
    unknownFields: config.unknownFields,
    clock,
    process: processName(random),
  })
  await app.ready()
  const { server } = app
  const certificate =
    tls && server instanceof Server ? createLiveCertificate({ files: tls, server, clock, log }) : undefined
  return { part: createWebPart({ app, ...bind, fd, listen }), certificate }
}
