// Units and copies of a daemon as they lie on a machine where all is well, in folders of a test.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { archiveName } from '../../src/backup/index.js'
import type { DaemonName } from '../../src/config/index.js'
import type { ServicePlaces } from '../../src/doctor/check.js'
import { unitFiles } from '../../src/wizard/index.js'

export interface UnitScene {
  readonly daemon: DaemonName
  /** Everything goes below it; settings lie in it. */
  readonly folder: string
  readonly settingsFile: string
  readonly folders: readonly string[]
  readonly secretFile?: (variable: string) => string | undefined
  readonly port: number
}

export interface InstalledUnits {
  readonly services: ServicePlaces
  /** Of the service. */
  readonly unit: string
  /** Puts a copy of that moment there. */
  copyAt(at: number): void
}

export function installUnits(scene: UnitScene): InstalledUnits {
  const { daemon, folder, port } = scene
  const [unitDir, copies] = [join(folder, 'units'), join(folder, 'copies')]
  const program = { node: process.execPath, script: '/opt/grinpay/bin/run.js', root: '/opt/grinpay' }
  const { files } = unitFiles({
    secretFile: () => undefined,
    ...scene,
    ...{ program, environmentFiles: [], usesTor: false, hasSocket: false, hasBackup: true, unitDir },
    bind: { host: '127.0.0.1', port },
  })
  for (const { path, text } of files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    const wants = path.endsWith('.timer') ? 'timers' : 'multi-user'
    mkdirSync(join(unitDir, `${wants}.target.wants`), { recursive: true })
    symlinkSync(path, join(unitDir, `${wants}.target.wants`, basename(path)))
  }
  const own = join(copies, `grinpay-backup-${daemon}`)
  mkdirSync(own, { recursive: true })
  return {
    services: { unitDirs: [unitDir], copies, settings: folder },
    unit: join(unitDir, `grinpay-${daemon}.service`),
    copyAt: (at) => writeFileSync(join(own, archiveName(daemon, at, false)), ''),
  }
}
