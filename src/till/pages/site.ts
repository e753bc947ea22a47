// What all pages of one till share: where it is mounted, whose shop it serves, which network it is on, what may be loaded and framed.
import type { Views } from '../../http/index.js'
import { qrSvg } from '../../lib/qr.js'
import type { TillSettings } from '../api.js'
import type { TabContext } from '../rail.js'
import type { TextKey } from './texts/en.js'

interface Banner {
  readonly name: string
  readonly text: TextKey
}

/** The shop as customers know it; all of it is optional. */
export interface Shop {
  readonly name?: string | undefined
  /** http or https. */
  readonly url?: string | undefined
  /** A data: address of `readShopLogo`. */
  readonly logo?: string | undefined
}

export interface Site {
  /** Path part of the public address: '' for a bare host, '/pay' for https://shop.example/pay. */
  readonly mount: string
  readonly style: string
  readonly mark: string
  readonly shop: Shop
  /** Says unmistakably that this is not real money; null on mainnet. */
  readonly banner: Banner | null
  /** Content-Security-Policy of pages and of the frames inside them. */
  readonly pagePolicy: string
  readonly framePolicy: string
  /** Shops may show pages inside theirs. */
  readonly isEmbeddable: boolean
  /** The target of a link in a frame that leads to the page around it. */
  readonly pageTarget: '_top' | '_parent'
}

export interface SiteOptions {
  readonly frameAncestors: readonly string[]
  readonly shop: Shop
}

const BANNERS: Readonly<Record<TillSettings['chain'], Banner | null>> = {
  mainnet: null,
  testnet: { name: 'TESTNET', text: 'bannerTestnet' },
  usernet: { name: 'USERNET', text: 'bannerUsernet' },
  sandbox: { name: 'SANDBOX', text: 'bannerSandbox' },
}

/** The prefix of every link; the daemon itself serves at the root (specification: invoicing, 2.10). */
const mountOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/+$/, '')

export function createSite(settings: TillSettings, views: Views, { frameAncestors, shop }: SiteOptions): Site {
  const mount = mountOf(settings.publicUrl)
  const isEmbeddable = frameAncestors.length > 0
  return {
    mount,
    style: `${mount}/static/${views.assetName('style.css')}`,
    mark: `${mount}/static/${views.assetName('mark.svg')}`,
    shop,
    banner: BANNERS[settings.chain],
    pagePolicy: policy(isEmbeddable ? frameAncestors : ["'none'"]),
    framePolicy: policy(["'self'", ...frameAncestors]),
    isEmbeddable,
    pageTarget: isEmbeddable ? '_parent' : '_top',
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

const MAX_CODES = 200

/** Draws each code once: drawing one takes longer than the rest of its page, and payers reload. Beyond 200 codes it forgets the oldest. */
export function createCodes(): TabContext['code'] {
  const codes = new Map<string, string>()
  return (text, options) => {
    const key = `${options.level} ${options.ariaLabel} ${text}`
    const known = codes.get(key)
    if (known !== undefined) return known
    const svg = qrSvg(text, options)
    codes.set(key, svg)
    const [oldest] = codes.size > MAX_CODES ? codes.keys() : []
    if (oldest !== undefined) codes.delete(oldest)
    return svg
  }
}
