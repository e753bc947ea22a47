#!/usr/bin/env node
// Production entry: the built commands in dist/.
import { execute } from '@oclif/core'

await execute({ dir: import.meta.url })
