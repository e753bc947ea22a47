// What a page of watched keys shows: both kinds of database answer these columns first.

import { hexCell, integerCell, textCell } from '../sqlite/columns.js'
import type { Row } from '../sqlite/sqlite.js'

export const readWatchedKey = ([pubkey = null, id = null]: Row): { pubkey: string; invoiceId: string } => ({
  pubkey: hexCell.read(pubkey),
  invoiceId: textCell.read(id),
})

export const readEndpub = ([pubkey = null, userId = null, epoch = null]: Row): {
  pubkey: string
  userId: string
  epoch: number
} => ({
  pubkey: hexCell.read(pubkey),
  userId: textCell.read(userId),
  epoch: integerCell.read(epoch),
})
