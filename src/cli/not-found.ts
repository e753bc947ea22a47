// Hook: an unknown command is a usage error with a suggestion, never a question.
import type { Config, Hook } from '@oclif/core'
import { isDaemonName } from '../lib/daemon-names.js'
import { nearest } from '../lib/nearest.js'
import { usage } from './errors.js'
import { EXIT, failureLine, failureOf } from './exit-codes.js'

/** `doctor relay` where `--daemon relay` is meant. */
function withDaemon(id: string, config: Pick<Config, 'findCommand'>): string | undefined {
  const words = id.split(':')
  const daemon = words.pop()
  const takesDaemon = config.findCommand(words.join(':'))?.flags.daemon !== undefined
  return isDaemonName(daemon) && takesDaemon ? `${words.join(' ')} --daemon ${daemon}` : undefined
}

const hook: Hook<'command_not_found'> = async ({ id, argv = [], config }) => {
  const typed = id.replaceAll(':', ' ')
  const known = [...config.topics.map(({ name }) => name), ...config.commandIDs].map((command) =>
    command.replaceAll(':', ' '),
  )
  const guess = withDaemon(id, config) ?? nearest(typed, known)
  const hint = guess === undefined ? 'grinpay help' : `did you mean "grinpay ${guess}"?`
  const failure = failureOf(Object.assign(usage(`no such command: ${typed}`), { hint }))
  if (argv.includes('--json')) process.stdout.write(`${JSON.stringify({ error: failure }, null, 2)}\n`)
  else process.stderr.write(`${failureLine(failure)}\n`)
  process.exit(EXIT.usage)
}

export default hook
