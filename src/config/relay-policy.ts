// Settings of `grinpay relay policy`, the write policy as a program of another relay (specification: relay, 9.1): few of the relay's own.
import type { Environment } from './env.js'
import { policyConfigurationError } from './errors.js'
import { AUTHORITY_OLD_NAMES } from './nameauth-settings.js'
import { readTable, requireAll, type SettingTable, type ValuesOf } from './reader.js'
import { policyOf } from './relay.js'
import { RELAY_FILE_VARIABLES, RELAY_SETTINGS } from './relay-settings.js'
import { aliasesOf } from './resolve.js'

const { allowedKinds, publicNoteAuthors, requireAuth, payMode, upstream, paidCacheSeconds } = RELAY_SETTINGS
const SETTINGS = { allowedKinds, publicNoteAuthors, requireAuth, payMode, upstream, paidCacheSeconds }

/** Under these names a policy program finds its settings; none of them is a secret. */
export const POLICY_VARIABLES: readonly string[] = Object.values(SETTINGS).map(({ name }) => name)

type Values = ValuesOf<typeof SETTINGS>

const TABLE: SettingTable<Values> = {
  settings: SETTINGS,
  rules: [],
  remarks: [
    {
      setting: 'publicNoteAuthors',
      refusal: ({ publicNoteAuthors: authors }) =>
        `${publicNoteAuthors.name}: skipped what is no key: ${authors?.invalid.join(', ')}`,
      breaks: ({ publicNoteAuthors: authors }) => (authors?.invalid ?? []).length > 0,
    },
  ],
  prefix: 'RELAY_',
  // The same file may serve a relay of ours.
  foreign: [
    ...RELAY_FILE_VARIABLES,
    ...AUTHORITY_OLD_NAMES,
    ...Object.values(RELAY_SETTINGS).flatMap((one) => [one.name, ...aliasesOf(one)]),
  ],
  refuse: policyConfigurationError,
}

/** What the program is made of; it has neither a list of writers nor a program of its own. */
export type PolicyProgramConfig = ReturnType<typeof loadPolicyProgramConfig>

const NOT_HERE = { blockedKinds: undefined, pubkeyWhitelist: undefined, requireName: false }

/** Throws CONFIGURATION with every problem in one line. */
export function loadPolicyProgramConfig(environment: Environment) {
  const reading = readTable(environment, TABLE)
  const values = requireAll(TABLE, reading)
  return {
    ...policyOf({ ...values, ...NOT_HERE }),
    /** Of the name authority, without trailing slash. */
    authority: values.upstream,
    /** Things to tell the operator at start. */
    notices: reading.notices,
  }
}
