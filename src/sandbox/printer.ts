// Prints lines of the sandbox: each one says SANDBOX, so that none is taken for real money.
import chalk from 'chalk'

export type Print = (line?: string) => void

/** Prints lines with the mark in front; colours only where chalk sees a terminal that wants them. */
export function createPrinter(write: (text: string) => void): Print {
  return (line = '') => write(`${chalk.black.bgYellow(' SANDBOX ')} ${line}`.trimEnd().concat('\n'))
}
