// What the ends of this process are: a person, or a program.

export interface Ends {
  readonly stdin: { readonly isTTY?: boolean }
  readonly stdout: { readonly isTTY?: boolean; readonly columns?: number }
}

/** Commands ask only when stdin and stdout are terminals and --no-input is absent. */
export const canAsk = (noInput: boolean, ends: Ends = process): boolean =>
  !noInput && ends.stdin.isTTY === true && ends.stdout.isTTY === true

/** Columns of the terminal (some do not know, and say 0), or undefined when a program reads. */
export const terminalWidth = ({ stdout }: Ends = process): number | undefined =>
  stdout.isTTY === true ? stdout.columns || 80 : undefined
