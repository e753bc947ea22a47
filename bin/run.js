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

const { execute } = await import('@oclif/core')
await execute({ dir: import.meta.url })
