// The answer of every setup to a daemon that is set up already: nothing is changed, and that is no failure (specification: names, 11).
import type { DaemonName } from '../config/index.js'

/** `what`: such as "a till"; `by`: the file that configures it. */
export const alreadyText = (daemon: DaemonName, what: string, by: string, prefix: string | undefined): string =>
  [
    `there is already ${what}, configured by ${by}; nothing was changed`,
    `to change it: grinpay setup ${daemon} --reconfigure${prefix === undefined ? '' : ` --prefix ${prefix}`}`,
  ].join('\n')
