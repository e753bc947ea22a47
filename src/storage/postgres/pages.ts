// Lists page by page, as in a file (storage/paging.ts).
import type { Page } from '../../till/index.js'
import { type PageRequest, pageOf, pageStatement, type Source } from '../paging.js'
import type { Transactions } from './transactions.js'

/** Answers one page of a list. It throws BAD_CURSOR. */
export const createPages =
  (read: Transactions['read']) =>
  async <T>(source: Source<T>, request: PageRequest): Promise<Page<T>> => {
    const { sql, values } = pageStatement(source, request)
    return pageOf(await read((db) => db.all(sql, values)), source, request)
  }
