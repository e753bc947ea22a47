// The point of sale as an area of the console.
import type { ConsoleArea, ConsolePage } from '../../../console/index.js'
import { chargeAction, type KeypadParts, keypadPage } from './keypad.js'
import { cancelAction, salePage, saleStream } from './sale.js'

export interface PosParts extends KeypadParts {
  /** As in the head of the console. */
  readonly shop: string
}

export function createPosArea(parts: PosParts): ConsoleArea {
  const { sales, shop } = parts
  return {
    id: 'pos',
    pages: [keypadPage(parts), salePage(sales), manifestPage(shop)],
    actions: [chargeAction(parts), cancelAction(sales)],
    streams: [saleStream(sales)],
  }
}

/** What makes the point of sale installable: name, icons, where it starts. There is no service worker: a page about money is never a stored one. */
const manifestPage = (shop: string): ConsolePage => ({
  path: '/pos/manifest.webmanifest',
  title: 'Web app',
  least: 'cashier',
  render: async ({ view }) => ({
    download: 'manifest.webmanifest',
    type: 'application/manifest+json',
    content: view('pos/manifest', { shop }),
  }),
})
