// How the sandbox speaks: every line says SANDBOX, so that nobody takes a line of it for money.
import chalk from 'chalk'

export type Print = (line?: string) => void

/** Prints lines with the mark in front; colours only where chalk sees a terminal that wants them. */
export function createVoice(write: (text: string) => void): Print {
  return (line = '') => write(`${chalk.black.bgYellow(' SANDBOX ')} ${line}`.trimEnd().concat('\n'))
}
