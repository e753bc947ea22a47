// Words of exports and imports.
import type { Tag } from '../../../console/index.js'
import type { Move } from './moves.js'

export const STATES: Readonly<Record<Move['state'], Tag>> = {
  running: { text: 'running', tone: 'quiet' },
  stopping: { text: 'stopping', tone: 'quiet' },
  done: { text: 'finished', tone: 'good' },
  stopped: { text: 'stopped', tone: 'warn' },
  failed: { text: 'failed', tone: 'bad' },
}

/** "under 1 s", "12 s", "3 min", "2 h 5 min" */
export function duration(seconds: number): string {
  if (seconds < 1) return 'under 1 s'
  if (seconds < 120) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
