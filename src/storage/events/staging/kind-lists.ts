// Lists of staged events under a value: an author or a tag. A list that has grown is split by kind, because most filters name kinds: after
// thousands of notes of one author, a filter for its profile would otherwise visit all of them.
import { erasePosting, insertPosting, type Postings, stagedIn } from './postings.js'
import type { Staged } from './staged-event.js'

/** A list under one value, or several by kind. Most values hold one event. */
type ValueLists = Postings | Map<number, Postings>

export interface KindLists {
  add(value: number, one: Staged): void
  remove(value: number, one: Staged): void
  /** Lists that contain all events of the value with one of the kinds, and maybe others; undefined: any kind. */
  collect(value: number, kinds: readonly number[] | undefined, into: Postings[]): void
}

/** Events from which a list is split. */
const SPLIT_AT = 16
/** Lists per value: anyone may sign events of 65,536 kinds. */
const MOST_KINDS = 64
/** Key of the list for all further kinds. */
const OTHER_KINDS = -1

export function createKindLists(): KindLists {
  const byValue = new Map<number, ValueLists>()
  return {
    add(value, one) {
      const lists = byValue.get(value)
      if (lists instanceof Map) insertByKind(lists, one)
      else {
        const list = insertPosting(lists, one)
        byValue.set(value, isLong(list) ? splitByKind(list) : list)
      }
    },
    remove(value, one) {
      const lists = byValue.get(value)
      if (lists instanceof Map) {
        for (const key of [one.keys.kind, OTHER_KINDS]) eraseIn(lists, key, one)
        if (lists.size === 0) byValue.delete(value)
      } else {
        const left = erasePosting(lists, one)
        if (left === undefined) byValue.delete(value)
        else byValue.set(value, left)
      }
    },
    collect(value, kinds, into) {
      const lists = byValue.get(value)
      if (lists === undefined) return
      if (!(lists instanceof Map)) into.push(lists)
      else if (kinds === undefined || kinds.length >= lists.size) into.push(...lists.values())
      else for (const key of [...kinds, OTHER_KINDS]) pushList(lists.get(key), into)
    },
  }
}

/** Asked only of lists below the limit, which have one chunk. */
const isLong = (list: Postings): boolean => Array.isArray(list) && (list[0]?.length ?? 0) >= SPLIT_AT

function splitByKind(list: Postings): Map<number, Postings> {
  const lists = new Map<number, Postings>()
  for (const one of stagedIn(list)) insertByKind(lists, one)
  return lists
}

function insertByKind(lists: Map<number, Postings>, one: Staged): void {
  const { kind } = one.keys
  const key = lists.has(kind) || lists.size < MOST_KINDS ? kind : OTHER_KINDS
  lists.set(key, insertPosting(lists.get(key), one))
}

/** A kind may have events in its own list and among the further kinds: a list may have emptied in between. */
function eraseIn(lists: Map<number, Postings>, key: number, one: Staged): void {
  const list = lists.get(key)
  if (list === undefined) return
  const left = erasePosting(list, one)
  if (left === undefined) lists.delete(key)
  else if (left !== list) lists.set(key, left)
}

function pushList(list: Postings | undefined, into: Postings[]): void {
  if (list !== undefined) into.push(list)
}
