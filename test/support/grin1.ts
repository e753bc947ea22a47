// A till on the grin1 rail over fakes: invoices that have their own slate, and the I2 that answers it.
import type { Invoice } from '../../src/till/index.js'
import { aSlate } from './fake-wallet.js'
import { grin } from './till-builders.js'
import { type FakeTillOptions, type OpenedTill, openTill } from './till-parts.js'

export const openRail = ({ settings = {}, ...rest }: FakeTillOptions = {}): OpenedTill =>
  openTill({ ...rest, settings: { unmatched: undefined, grin1Rail: true, ...settings } })

export const invoiceOn = async ({ till }: Pick<OpenedTill, 'till'>, over: object = {}): Promise<Invoice> =>
  (await till.createInvoice({ amountNanogrin: grin(2), ...over })).invoice

/** The I2 for an invoice's slate, as text; another `note` is another I2. */
export const anI2 = ({ slateId }: Pick<Invoice, 'slateId'>, note = 'honest'): string =>
  aSlate({ id: slateId ?? 'none', state: 'I2', amount: grin(0), note })

/** The same as the Foreign API gets it. */
export const offerOf = ({ wallet }: OpenedTill, text: string) => wallet.read(JSON.parse(text))
