// Before a release: packs the three packages into `artifacts`, lets npm rehearse their publication, lets publint and attw look at the archives,
// and writes beside each the list of what it is made of (CycloneDX). Ends with 1 when anything is wrong. `--complete` also wants what only
// the first real publication needs: the address of the repository.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { archiveProblems } from './archive-checks.mjs'
import { packAll } from './packages.mjs'
import { sbomOf } from './sbom.mjs'

const PUBLISH_MS = 120_000
/** A rehearsal needs no login. */
const EXPECTED = /^npm warn publish This command requires you to be logged in to \S+ \(dry-run\)$/

/** What npm warns of when it rehearses; its errors where it refuses. */
function rehearse(what) {
  const shell = process.platform === 'win32' // npm is a .cmd file there
  const args = ['publish', '--dry-run', '--ignore-scripts', what]
  const { status, error, stderr = '' } = spawnSync('npm', args, { encoding: 'utf8', shell, timeout: PUBLISH_MS })
  const lines = stderr.split('\n').filter((line) => /^npm (warn|error)/i.test(line) && !EXPECTED.test(line))
  if (status !== 0 && lines.length === 0) lines.push(error?.message ?? `npm ended with ${status}`)
  return lines.length === 0 ? [] : [`npm publish --dry-run ${basename(what)}:\n${lines.join('\n')}`]
}

/** What the registry needs to prove where an archive was built, and users to find the sources. */
function missingIn(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const missing = ['repository', 'bugs', 'homepage'].filter((field) => manifest[field] === undefined)
  return missing.length === 0 ? [] : [`package.json lacks ${missing.join(', ')}: docs/releasing.md`]
}

const isComplete = process.argv.includes('--complete')
let count = 0
for (const { folder, archive } of packAll()) {
  const problems = [
    // The folder shows what npm would correct in the manifest, the archive is what is published.
    ...rehearse(folder),
    ...rehearse(archive),
    ...(await archiveProblems(archive)),
    ...(isComplete ? missingIn(folder) : []),
  ]
  writeFileSync(archive.replace(/\.tgz$/, '.cdx.json'), sbomOf(folder))
  const verdict = problems.length === 0 ? 'npm publish --dry-run, publint and attw find nothing' : 'NOT in order'
  process.stdout.write(`${basename(archive)}: ${verdict}\n`)
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  count += problems.length
}
process.exitCode = count === 0 ? 0 : 1
