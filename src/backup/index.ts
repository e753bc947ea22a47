// Archives of what a daemon keeps: their form, their encryption, what becomes of old ones. What goes in is decided in daemons.
export { createSeal, readIdentities } from './age.js'
export { type Archive, type ArchiveMember, openArchive, receiveMember } from './archive-reader.js'
export { type ArchiveSource, writeArchive } from './archive-writer.js'
export * from './errors.js'
export { FORMAT_VERSION, type Manifest, type ManifestFile } from './manifest.js'
export { archiveName, decideRetention, parseArchiveName, type Retention } from './retention.js'
export { placeInEnv, placeInToml, redactSettings, SECRET_NAME } from './settings-text.js'
