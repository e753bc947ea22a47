// The names of an authority in another process on this machine, found by its settings file. Read anew for every page: the authority may
// be set up, moved or away while the console runs.
import { createNamesArea, type NameAccess } from '../../../authority/console/index.js'
import { openEnvironment, readNameFacts } from '../../../config/index.js'
import { causedBy, GrinpayError } from '../../../lib/errors.js'
import { namesUnreachable } from '../../errors.js'
import { editNames, type NameAdminSettings, readNames } from '../../name-admin.js'
import type { AreasBeside } from '../console.js'

/** `settingsFile`: PAY_CONSOLE_NAMEAUTH. Every verb throws CONSOLE_NAMES_UNREACHABLE while settings or database cannot be read. */
export const namesBeside = (settingsFile: string): NameAccess => ({
  read: (work) => reaching(settingsFile, (settings) => readNames(settings, (admin) => work(admin, settings.domain))),
  edit: (work) => reaching(settingsFile, (settings) => editNames(settings, work)),
})

/** Its pages, for the console of a till. */
export const namesAreasBeside = (settingsFile: string): AreasBeside => ({
  areas: [createNamesArea(namesBeside(settingsFile))],
})

/** What keeps the database from being opened; refusals of the authority go on as they are. */
const AWAY = /^(?:DATABASE_|SCHEMA_|ENV_FILE_UNREADABLE$|CONFIGURATION$)/

async function reaching<T>(file: string, work: (settings: NameAdminSettings) => Promise<T>): Promise<T> {
  try {
    return await work(settingsOf(file))
  } catch (thrown) {
    if (!(thrown instanceof GrinpayError) || !AWAY.test(thrown.code)) throw thrown
    throw causedBy(namesUnreachable(file, thrown.message), thrown)
  }
}

/** Throws CONFIGURATION, ENV_FILE_UNREADABLE. */
function settingsOf(envFile: string): NameAdminSettings {
  // The variables of this process are those of the till.
  const { dbPath: path, ...rules } = readNameFacts(openEnvironment({ envFile, variables: {} }))
  return { path, ...rules }
}
