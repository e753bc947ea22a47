export { type SystemClock, systemClock } from './clock.js'
export { commandName } from './command-name.js'
export { walletMissing } from './errors.js'
export {
  createDirectory,
  createFile,
  type DiskSpace,
  diskSpace,
  modifiedAt,
  replaceFile,
  syncDirectory,
} from './files.js'
export { createWhileLocked } from './lock.js'
export type { LogLevel, SystemLog } from './log.js'
export {
  appendLine,
  createFileForFolder,
  createFolderForFolder,
  type OwnerParts,
  ownerInTheWay,
  replaceFileForFolder,
  replaceInPlace,
} from './owners.js'
export {
  consoleFile,
  dataFiles,
  defaultPrefix,
  isNewWallet,
  markNewWallet,
  nameauthEnvFiles,
  nameauthPlaces,
  type Places,
  relayConfigFiles,
  relayDataDir,
  relayPlaces,
  tillPlaces,
  tillProfilesFile,
  unmarkNewWallet,
  usualEnvFiles,
  watermarkFile,
} from './paths.js'
export { openProcessFigures, type ProcessFigures } from './process-figures.js'
export { type SystemRandom, systemRandom } from './random.js'
export { programEnvironment, startShellProgram } from './shell-program.js'
export { atExit, onStopSignal, restoringTerminal } from './signals.js'
export { createNotifier, handedOverSocket, isHandedOver, type Notifier } from './systemd.js'

/** Makes the log; pino is loaded only by those who log. */
export const openLog = async (parts?: import('./log.js').LogParts): Promise<import('./log.js').SystemLog> =>
  (await import('./log.js')).createLog(parts)
export { createOpenWebSocket } from './web-socket.js'
