// What differs between two texts, line by line, for people.
import { diffArrays } from 'diff'

const CONTEXT = 2

/** Lines that go with `-`, lines that come with `+`, and two lines around them. Empty when nothing differs. */
export function lineDiff(before: string, after: string): string {
  const lines = diffArrays(linesOf(before), linesOf(after)).flatMap(({ value, added, removed }) => {
    const sign = added ? '+' : removed ? '-' : ' '
    return value.map((line) => `${sign}${line}`)
  })
  const isNear = lines.map((_, at) => lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(isChange))
  return lines
    .flatMap((line, at) => {
      if (isNear[at]) return [line]
      return at > 0 && isNear[at - 1] ? ['…'] : []
    })
    .join('\n')
}

const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n')

const isChange = (line: string): boolean => !line.startsWith(' ')
