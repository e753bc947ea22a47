// What every unit of grinpay says, whichever daemon it starts.
import { describe, expect, test } from 'vitest'
import { renderBackup, renderService } from '../../../src/wizard/services/units.js'

const PROGRAM = { node: '/usr/bin/node', script: '/opt/grinpay/bin/run.js', root: '/opt/grinpay' }
const DAEMONS = ['pay', 'nameauth', 'relay'] as const

describe.each(DAEMONS)('the units of %s', (daemon) => {
  const parts = {
    daemon,
    program: PROGRAM,
    settingsFile: `/etc/grinpay/${daemon}.env`,
    folders: [`/var/lib/grinpay-${daemon}`],
  }
  const service = renderService(parts)
  const backup = renderBackup(parts).service

  test('leave no core file behind: the memory of a daemon holds its secrets', () => {
    for (const unit of [service, backup]) expect(unit.split('\n')).toContain('LimitCORE=0')
  })
})
