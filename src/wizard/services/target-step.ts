// The unit that every service names in WantedBy: without it systemd complains when the first one is enabled.
import { dirname, join } from 'node:path'
import { PUBLIC_FILE, replace, type Step } from '../steps.js'
import type { Program } from './program.js'
import { renderTarget } from './units.js'

/** Beside the unit of a daemon. */
export const targetStep = (unitFile: string, program: Program): Step =>
  replace(join(dirname(unitFile), 'grinpay.target'), PUBLIC_FILE, 'all services together', renderTarget(program))
