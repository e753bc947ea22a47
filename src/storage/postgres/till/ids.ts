// Which ids begin with what an operator typed.
import type { IdSearch } from '../../../till/index.js'
import { textCell } from '../../sqlite/columns.js'
import { idsBy } from '../../till/ids.js'
import type { Transactions } from '../transactions.js'

export const idVerbs = ({ read }: Transactions): IdSearch => ({
  idsLike: (kind, prefix, limit) =>
    read(async (db) => {
      const { sql, values } = idsBy(kind, prefix, limit)
      return (await db.all(sql, values)).map(([id = null]) => textCell.read(id))
    }),
})
