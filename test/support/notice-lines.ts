// Notices of a configuration as the lines that people read; frozen if the configuration is.
import { noticeLine } from '../../src/lib/notice-line.js'

export function withLines<Config extends { readonly notices: readonly { text: string; remedy?: string }[] }>(
  config: Config,
): Omit<Config, 'notices'> & { readonly notices: readonly string[] } {
  const lines = { ...config, notices: config.notices.map(noticeLine) }
  return Object.isFrozen(config) ? Object.freeze(lines) : lines
}
