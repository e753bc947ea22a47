// What all pages of one till share: where it is mounted, which network it is on, what may be loaded and framed.
import type { Views } from '../../http/index.js'
import type { TillSettings } from '../api.js'

export interface Banner {
  readonly name: string
  readonly text: string
}

export interface Site {
  /** Path part of the public address: '' for a bare host, '/pay' for https://shop.example/pay. */
  readonly mount: string
  readonly style: string
  readonly mark: string
  /** Says unmistakably that this is not real money; null on mainnet. */
  readonly banner: Banner | null
  /** Content-Security-Policy of pages and of the status frame inside them. */
  readonly pagePolicy: string
  readonly framePolicy: string
}

const BANNERS: Readonly<Record<TillSettings['chain'], Banner | null>> = {
  mainnet: null,
  testnet: { name: 'TESTNET', text: 'Test coins without value. Do not send real Grin here.' },
  usernet: { name: 'USERNET', text: 'A private test chain. Do not send real Grin here.' },
  sandbox: { name: 'SANDBOX', text: 'Play money on this machine. Do not send real Grin here.' },
}

/** The prefix of every link; the daemon itself serves at the root (specification: invoicing, 2.10). */
const mountOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/+$/, '')

export function createSite(settings: TillSettings, views: Views, frameAncestors: readonly string[]): Site {
  const mount = mountOf(settings.publicUrl)
  return {
    mount,
    style: `${mount}/static/${views.assetName('style.css')}`,
    mark: `${mount}/static/${views.assetName('mark.svg')}`,
    banner: BANNERS[settings.chain],
    pagePolicy: policy(frameAncestors.length === 0 ? ["'none'"] : frameAncestors),
    framePolicy: policy(["'self'", ...frameAncestors]),
  }
}

/** No script source at all, for good. */
const policy = (frameAncestors: readonly string[]): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors.join(' ')}`,
  ].join('; ')
