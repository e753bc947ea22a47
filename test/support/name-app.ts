// The authority's HTTP surface over a real store, on a clock that stands still.
import type { FastifyInstance, InjectOptions } from 'fastify'
import {
  AUTHORITY_APP,
  type Authority,
  type AuthorityHttpOptions,
  type AuthorityParts,
  type AuthoritySettings,
  authorityHttp,
  createAuthority,
} from '../../src/authority/index.js'
import { type AppOptions, createApp, createReadiness, type ReadinessCheck } from '../../src/http/index.js'
import { httpAuthHeader } from '../../src/nostr/http-auth/index.js'
import { authoritySettings } from './authority-parts.js'
import { type keyPairOf, seededRandom } from './nostr.js'
import { quickNames } from './quick-stores.js'
import { countingRandom, stillClock } from './till-app.js'

export const NAME_VERSION = '0.0.0-test'
const BASE = 'https://names.acme.example'

const NAME_SETTINGS = authoritySettings({
  domain: 'names.acme.example',
  baseUrl: BASE,
  relays: ['wss://relay.acme.example'],
})

export interface NameAppOptions extends Partial<Omit<AuthorityHttpOptions, 'authority' | 'readiness'>> {
  readonly settings?: Partial<AuthoritySettings>
  readonly parts?: Partial<Omit<AuthorityParts, 'settings' | 'store' | 'clock'>>
  /** In place of what an empty store makes of it. */
  readonly change?: (authority: Authority) => Authority
  readonly app?: Partial<AppOptions>
  readonly checks?: readonly ReadinessCheck[]
}

/** Nodes that know no kernel. */
export const silentKernels = { kernel: async () => undefined, tip: async () => 1000 }

const GENEROUS = { max: 1000, windowSeconds: 60 }
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }

export async function nameApp(options: NameAppOptions = {}) {
  const { settings, parts, change = (same) => same, app: appOptions, checks, ...http } = options
  const clock = stillClock()
  const store = quickNames()
  const authority = change(
    createAuthority({ store, clock, log: SILENT, settings: { ...NAME_SETTINGS, ...settings }, ...parts }),
  )
  const app: FastifyInstance = createApp({
    clock,
    random: countingRandom(),
    trustedProxies: ['127.0.0.1'],
    ...AUTHORITY_APP,
    ...appOptions,
  })
  await app.register(authorityHttp, {
    authority,
    rates: { read: GENEROUS, write: GENEROUS },
    version: NAME_VERSION,
    ...(checks && { readiness: createReadiness({ checks: async () => checks, clock }) }),
    ...http,
  })
  await app.ready()

  let signed = 0
  const random = seededRandom('name app')
  /** The header of a signed request; every one has an event of its own. */
  const sign = ({ secret }: ReturnType<typeof keyPairOf>, method: 'POST' | 'DELETE', path: string, payload?: string) =>
    httpAuthHeader({
      url: BASE + path,
      method,
      secret,
      now: clock.now(),
      random,
      extraTags: [['nonce', String(signed++)]],
      ...(payload !== undefined && { body: Buffer.from(payload) }),
    })

  function ask(who: ReturnType<typeof keyPairOf>, method: 'POST' | 'DELETE', path: string, body?: string | object) {
    const payload = typeof body === 'object' ? JSON.stringify(body) : body
    const authorization = sign(who, method, path, payload)
    const request: InjectOptions = { method, url: path, headers: { authorization } }
    return app.inject({ ...request, ...(payload !== undefined && { payload }) })
  }

  return {
    app,
    store,
    clock,
    authority,
    sign,
    ask,
    get: (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers }),
    claim: (who: ReturnType<typeof keyPairOf>, name: string) =>
      ask(who, 'POST', '/api/v1/register', { name, pubkey: who.pubkey }),
  }
}
