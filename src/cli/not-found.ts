// Hook: an unknown command is a usage error with a suggestion, never a question.
import type { Hook } from '@oclif/core'
import { nearest } from '../lib/nearest.js'
import { EXIT } from './exit-codes.js'

const hook: Hook<'command_not_found'> = async ({ id, config }) => {
  const typed = id.replaceAll(':', ' ')
  const known = [...config.topics.map(({ name }) => name), ...config.commandIDs].map((command) =>
    command.replaceAll(':', ' '),
  )
  const guess = nearest(typed, known)
  const hint = guess === undefined ? 'grinpay help' : `did you mean "grinpay ${guess}"?`
  process.stderr.write(`grinpay: no such command: ${typed}\nhint: ${hint}\n`)
  process.exit(EXIT.usage)
}

export default hook
