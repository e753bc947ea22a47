// What pages say of the shop: name, address and logo, the last from a file.
import { readFileSync, statSync } from 'node:fs'
import { configurationError, type PayConfig } from '../../../config/index.js'
import { messageOf } from '../../../lib/errors.js'
import { MAX_LOGO_BYTES, readShopLogo, type TillHttpOptions } from '../../../till/index.js'

/** Reads the logo. Throws CONFIGURATION with the reason when there is none in the file, or one that pages must not hold. */
export function readShop({
  shopName,
  shopUrl,
  shopLogo,
}: Pick<PayConfig, 'shopName' | 'shopUrl' | 'shopLogo'>): NonNullable<TillHttpOptions['shop']> {
  return { name: shopName, url: shopUrl, logo: shopLogo === undefined ? undefined : readLogo(shopLogo) }
}

/** As a `data:` address. Throws CONFIGURATION. */
export function readLogo(path: string): string {
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
