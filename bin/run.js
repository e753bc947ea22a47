#!/usr/bin/env node
// Production entry: the built commands in dist/.
import { homedir } from 'node:os'

// A user number that no passwd knows (in containers, and in services of a small Debian) has neither shell nor home. oclif asks the
// system for both, for the home as soon as it is loaded, and throws.
process.env.SHELL ??= '/bin/sh'
try {
  homedir()
} catch {
  process.env.HOME = '/'
}

// Output that cannot be written ends the command with one line; a reader that has enough, as `head` has, is no error. Daemons have listeners of their own.
process.stdout.on('error', ({ code, message }) => {
  if (code === 'EPIPE') return
  process.exitCode = 1
  process.stderr.write(`grinpay: the output cannot be written: ${message.replace(/, write$/, '')}\n`)
  process.exit(1)
})
process.stderr.on('error', () => undefined)

const { execute } = await import('@oclif/core')
await execute({ dir: import.meta.url })
