// Prints lines of the sandbox. Each says SANDBOX, so that it is not mistaken for real money.
import chalk from 'chalk'

export type Print = (line?: string) => void

/** Prints lines with the mark in front; colours only where chalk sees a terminal that wants them. */
export function createPrinter(write: (text: string) => void): Print {
  return (line = '') => write(`${chalk.black.bgYellow(' SANDBOX ')} ${line}`.trimEnd().concat('\n'))
}
