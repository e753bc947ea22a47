// The systemd unit of the name authority, and how its secrets reach it.
import { dirname } from 'node:path'
import { Eta } from 'eta'
import type { Places } from '../../system/index.js'
import { readTemplate } from '../templates.js'
import type { Program } from '../unit.js'
import { SECRET_SETTINGS } from './secrets.js'

const STATE = '/var/lib/'
const USER = 'grinpay-nameauth'

/** The folder below /var/lib that systemd keeps for the unit; undefined when the database lies elsewhere. */
function stateOf(settings: ReadonlyMap<string, string>): string | undefined {
  const folder = dirname(settings.get('NAMEAUTH_NAMES_DB') ?? '')
  return folder.startsWith(STATE) && folder.length > STATE.length ? folder.slice(STATE.length) : undefined
}

/** How to make the user that a database outside of /var/lib belongs to; undefined when systemd makes one at each start. */
export function ownUser(settings: ReadonlyMap<string, string>): string | undefined {
  if (stateOf(settings) !== undefined) return undefined
  const folder = dirname(settings.get('NAMEAUTH_NAMES_DB') ?? '')
  return `adduser --system --group --no-create-home ${USER} && chown -R ${USER}: ${folder}`
}

/** The unit for these places and settings; its Documentation line points below `root`. */
export function renderNameauthUnit(
  { envFile }: Places,
  { node, script, root }: Program,
  settings: ReadonlyMap<string, string>,
): string {
  // Only root can read their files: systemd hands them over under these names instead.
  const credentials = SECRET_SETTINGS.flatMap(([, name]) => {
    const path = settings.get(`${name}_FILE`)
    return path === undefined ? [] : [{ name: name.toLowerCase(), variable: `${name}_FILE`, path }]
  })
  const eta = new Eta({ autoEscape: false, autoTrim: false })
  const data = {
    exec: `${node} ${script}`,
    envFile,
    root,
    credentials,
    state: stateOf(settings),
    user: USER,
    folder: dirname(settings.get('NAMEAUTH_NAMES_DB') ?? ''),
  }
  return eta.renderString(readTemplate('systemd/grinpay-nameauth.service.eta'), data)
}
