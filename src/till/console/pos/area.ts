// The point of sale as an area of the console.
import type { ConsoleArea } from '../../../console/index.js'
import { chargeAction, type KeypadParts, keypadPage } from './keypad.js'
import { manifestPage } from './manifest.js'
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
