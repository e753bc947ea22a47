// What every unit of grinpay says, whichever daemon it starts.
import { describe, expect, test } from 'vitest'
import { serviceMemory } from '../../../src/wizard/services/memory.js'
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

  test.each([
    [0.25, 192, 384],
    [0.5, 230, 435],
    [1, 460, 870],
    [2, 921, 1740],
    [4, 1843, 3481],
    [64, 4096, 55_705],
  ])('fit a machine with %d GB', (gigabytes, heap, most) => {
    const memory = serviceMemory(gigabytes * 2 ** 30)
    const unit = renderService({ ...parts, memory }).split('\n')
    expect(unit).toContain(`Environment=NODE_OPTIONS=--max-old-space-size=${heap}`)
    expect(unit).toContain(`MemoryMax=${most}M`)
  })

  test('say what this machine has by default', () => {
    expect(service).toMatch(/^MemoryMax=\d+M$/m)
    expect(service).toMatch(/^Environment=NODE_OPTIONS=--max-old-space-size=\d+$/m)
  })

  test('leave no core file behind: the memory of a daemon holds its secrets', () => {
    for (const unit of [service, backup]) expect(unit.split('\n')).toContain('LimitCORE=0')
  })
})
