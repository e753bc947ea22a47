// What the till listens with: its API, its pages, and what each of them may know.
import { readFileSync, statSync } from 'node:fs'
import { Server } from 'node:https'
import { configurationError, type PayConfig } from '../../../config/index.js'
import { createApp, createReadiness } from '../../../http/index.js'
import { messageOf } from '../../../lib/errors.js'
import type { SystemClock, SystemLog, SystemRandom } from '../../../system/index.js'
import { MAX_LOGO_BYTES, readShopLogo, type Till, type TillHttpOptions, tillHttp } from '../../../till/index.js'
import { checksOf, type Part } from '../../runtime.js'
import { processName } from '../process-name.js'
import { createWebPart } from '../web.js'
import { createLiveCertificate, type LiveCertificate, readTillCertificate } from './live-certificate.js'
import type { LiveSecrets } from './live-secrets.js'
import { usableMethods } from './settings.js'

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
}

export interface TillWeb {
  readonly part: Part
  /** Of PAY_TLS=on. */
  readonly certificate: LiveCertificate | undefined
}

/** Throws what a shop's logo or a certificate that cannot be read throws. */
export async function createTillWeb(parts: TillWebParts): Promise<TillWeb> {
  const { config, version, log, fd, till, secrets, inner, clock, random } = parts
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
  return { part: createWebPart({ app, ...bind, fd }), certificate }
}

/** Reads the logo. Throws CONFIGURATION with the reason when there is none in the file, or one that pages must not hold. */
export function readShop({ shopName, shopUrl, shopLogo }: PayConfig): NonNullable<TillHttpOptions['shop']> {
  return { name: shopName, url: shopUrl, logo: shopLogo === undefined ? undefined : logoIn(shopLogo) }
}

function logoIn(path: string): string {
  try {
    const { size } = statSync(path)
    if (size > MAX_LOGO_BYTES)
      throw new RangeError(`has ${Math.ceil(size / 1024)} KiB: it may have ${MAX_LOGO_BYTES / 1024} KiB`)
    return readShopLogo(readFileSync(path))
  } catch (thrown) {
    const why = thrown instanceof RangeError ? thrown.message : `cannot be read (${messageOf(thrown)})`
    throw configurationError([{ setting: 'PAY_SHOP_LOGO', text: `PAY_SHOP_LOGO ${why} (got "${path}")` }])
  }
}
