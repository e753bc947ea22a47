// Rows as JSON lines: one document per row, times in epoch milliseconds, amounts in nanogrin as decimal text.
import type { NameRow } from './row-kinds.js'

/** A member as it is called in a line: created_at, not createdAt. */
export const snake = (member: string): string => member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** One line, with its end. */
export function formatNameRow({ kind, value }: NameRow): string {
  const members = Object.entries(value).map(([member, cell]) => [
    snake(member),
    typeof cell === 'bigint' ? cell.toString() : cell,
  ])
  return `${JSON.stringify({ kind, ...Object.fromEntries(members) })}\n`
}
