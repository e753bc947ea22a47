// The same services in containers: a recipe for the image, and a compose file with secrets as files.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DAEMONS, type DaemonName } from '../../config/index.js'
import { localHostPort } from '../../lib/url.js'
import { notForUnit } from '../errors.js'
import { renderTemplate } from '../templates.js'
import { credentialsOf } from './credentials.js'
import { type ServiceMemory, serviceMemory } from './memory.js'
import { stamped } from './stamp.js'
import type { ServiceFiles, UnitOptions } from './unit-files.js'

/** As settings say it; nothing is checked yet. */
type ContainedService = Pick<
  UnitOptions,
  'daemon' | 'settingsFile' | 'environmentFiles' | 'folders' | 'bind' | 'secretFile'
> & {
  /** Secret settings whose text stands in the settings themselves. */
  readonly inline: readonly string[]
}

export interface ComposeOptions {
  readonly services: readonly ContainedService[]
  /** Of the package. */
  readonly version: string
  /** Where the two files go. */
  readonly dir: string
  /** Of each container; by default that of a unit on this machine. */
  readonly memory?: ServiceMemory | undefined
}

/** The user inside the containers, which owns data and secrets; no user of the machine has this id. */
const USER = 10_001

interface Secret {
  readonly name: string
  readonly path: string
  readonly variable: string
}

/** Throws NOT_FOR_UNIT for what cannot stand in a compose file. */
export function composeFiles({ services, version, dir, memory = serviceMemory() }: ComposeOptions): ServiceFiles {
  const contained = services.map(containedOf)
  const secrets = contained.flatMap((service) => service.secrets)
  checkPaths(contained.flatMap(({ mounts }) => mounts.map(({ path }) => path)).concat(secrets.map(({ path }) => path)))
  const data = { version, image: `grinpay:${version}`, user: USER, services: contained, secrets, memory }
  const folders = contained.flatMap(({ mounts }) => mounts.filter(({ isFile }) => !isFile).map(({ path }) => path))
  const files = contained.flatMap(({ ownedFiles }) => ownedFiles)
  const owned = new Set([...folders, ...files, ...secrets.map(({ path }) => path)])
  return {
    files: [
      { path: join(dir, 'Containerfile'), about: 'the recipe of the image', text: render('Containerfile', data) },
      { path: join(dir, 'compose.yaml'), about: 'the services', text: render('compose.yaml', data) },
    ],
    notes: services.flatMap(notesOn),
    commands: [
      `cd ${dir} && npm pack grinpay@${version}`,
      `chown -R ${USER}:${USER} ${[...owned].join(' ')}`,
      'docker compose up --detach --build',
    ],
  }
}

const render = (template: string, data: object): string => stamped(renderTemplate(`docker/${template}`, data))

function containedOf({ daemon, settingsFile, environmentFiles = [], folders, bind, secretFile }: ContainedService) {
  const secrets = secretsOf(daemon, settingsFile, secretFile)
  const { fileForm, serveFlags } = DAEMONS[daemon]
  const isToml = fileForm === 'toml'
  return {
    name: daemon,
    command: ['serve', daemon, '--settings', settingsFile, ...serveFlags(folders[0] ?? '')],
    ready: `http://${localHostPort(bind.host, bind.port)}/ready`,
    variablesFile: isToml ? environmentFiles[0] : undefined,
    secrets,
    mounts: [
      ...[...new Set(folders)].map((path) => ({ path, isFile: false })),
      ...[settingsFile, ...environmentFiles].map((path) => ({ path, isFile: true })),
    ],
    // A TOML file holds no secrets, and everybody may read it.
    ownedFiles: isToml ? environmentFiles : [settingsFile],
  }
}

/** Those that the settings name, and of a till the wallet password that setup kept in a file. */
function secretsOf(daemon: DaemonName, settingsFile: string, secretFile: UnitOptions['secretFile']): readonly Secret[] {
  const kept = join(dirname(settingsFile), 'secrets', 'wallet_password')
  const fileOf = (variable: string): string | undefined =>
    secretFile(variable) ?? (variable === DAEMONS[daemon].passwordSetting && existsSync(kept) ? kept : undefined)
  return credentialsOf(daemon, fileOf)
    .filter(({ isSealed }) => !isSealed)
    .map(({ name, path }) => ({ name, path, variable: name.toUpperCase() }))
}

function notesOn({ daemon, settingsFile, secretFile, inline }: ContainedService): readonly string[] {
  const sealed = credentialsOf(daemon, secretFile).filter(({ isSealed }) => isSealed)
  const { passwordSetting } = DAEMONS[daemon]
  const hasPassword =
    passwordSetting === undefined ||
    inline.includes(passwordSetting) ||
    secretsOf(daemon, settingsFile, secretFile).some(({ variable }) => variable === passwordSetting)
  return [
    ...sealed.map(
      ({ path }) => `warning: ${path} is sealed for systemd, and no container can open it: name a plain file`,
    ),
    ...(hasPassword ? [] : [`warning: no wallet password in a plain file: set ${passwordSetting}_FILE`]),
  ]
}

/** A blank or a colon would be read as something else. */
function checkPaths(paths: readonly string[]): void {
  for (const path of paths)
    if (!/^\/[A-Za-z0-9._@+/-]+$/.test(path))
      throw notForUnit(
        `a container needs absolute paths of letters, digits and . _ @ + - only: ${JSON.stringify(path)}`,
      )
}
