import { join } from 'node:path'

/** By name; made anew each time, unless it is the same for everybody. */
export type Props = Readonly<Record<string, () => Promise<string>>>

export function once(make: () => Promise<string>): () => Promise<string> {
  let made: Promise<string> | undefined
  return () => (made ??= make())
}

/** Fresh numbers and files. */
export function newNames(home: string) {
  let count = 0
  return {
    number: (): number => ++count,
    file: (): string => join(home, `new-${++count}`),
  }
}

export type NewNames = ReturnType<typeof newNames>
