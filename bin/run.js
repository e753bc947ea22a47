#!/usr/bin/env node
// Production entry: the built commands in dist/.
import { execute } from '@oclif/core'

// Without it oclif asks the system for the user's shell, and throws for a user number that no passwd knows (containers).
process.env.SHELL ??= '/bin/sh'

await execute({ dir: import.meta.url })
