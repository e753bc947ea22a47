#!/usr/bin/env -S node --import tsx
// Development entry: runs the TypeScript sources, no build needed.
import { execute } from '@oclif/core'

await execute({ development: true, dir: import.meta.url })
