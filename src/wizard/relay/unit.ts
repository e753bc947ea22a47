// The systemd unit of the relay.
import { Eta } from 'eta'
import { readTemplate } from '../templates.js'
import type { Program } from '../unit.js'

export interface RelayUnitParts {
  readonly configFile: string
  /** Files that only root can read: systemd hands them over under these names. */
  readonly credentials?: readonly { readonly name: string; readonly path: string }[]
}

/** Its Documentation line points below `root`; the database lies in the folder that systemd keeps for it. */
export function renderRelayUnit(
  { configFile, credentials = [] }: RelayUnitParts,
  { node, script, root }: Program,
): string {
  const eta = new Eta({ autoEscape: false, autoTrim: false })
  const data = { exec: `${node} ${script}`, configFile, credentials, root }
  return eta.renderString(readTemplate('systemd/grinpay-relay.service.eta'), data)
}
