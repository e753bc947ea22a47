// npm-shrinkwrap.json of the published package: what package-lock.json says of the packages that run in production, so that an installation
// takes the versions that were tested. `write` before packing, `remove` after it; the file is never committed.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const SHRINKWRAP = join(root, 'npm-shrinkwrap.json')

/**
 * Where Node finds `name` from the package at `from`, among the places of a lock file.
 * @param {Readonly<Record<string, unknown>>} packages
 * @param {string} from '' is the package itself
 * @param {string} name
 * @returns {string | undefined}
 */
export function placeOf(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (place in packages) return place
    if (folder === '') return undefined
  }
}

/**
 * What a package of a lock file needs beside it. A peer that is optional is not needed.
 * @param {{ dependencies?: object, optionalDependencies?: object, peerDependencies?: object, peerDependenciesMeta?: Record<string, { optional?: boolean }> }} entry
 * @returns {readonly string[]}
 */
export function namesNeededBy({
  dependencies,
  optionalDependencies,
  peerDependencies = {},
  peerDependenciesMeta = {},
}) {
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]
}

/** The places of every package that runs in production, on any platform. Throws when the lock file lacks one. */
function productionPlaces(packages) {
  const { devDependencies: _, ...own } = packages['']
  const places = new Set()
  const open = [['', own]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [from, entry] = next
    for (const name of namesNeededBy(entry)) {
      const place = placeOf(packages, from, name)
      if (place === undefined) throw new Error(`package-lock.json has no ${name}, which ${from || 'grinpay'} needs`)
      if (places.has(place)) continue
      places.add(place)
      open.push([place, packages[place]])
    }
  }
  return places
}

/**
 * Without development tools, and without the addresses that packages were fetched from: each is pinned by its content.
 * @param {{ packages: Record<string, any> }} lock
 */
export function shrinkwrapOf(lock) {
  const places = productionPlaces(lock.packages)
  const { devDependencies: _, ...own } = lock.packages['']
  const entries = Object.entries(lock.packages)
    .filter(([place]) => places.has(place))
    .map(([place, { resolved: _resolved, dev: _dev, devOptional: _devOptional, ...entry }]) => [place, entry])
  return { ...lock, packages: { '': own, ...Object.fromEntries(entries) } }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === 'write') {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    writeFileSync(SHRINKWRAP, `${JSON.stringify(shrinkwrapOf(lock), null, 2)}\n`)
  } else rmSync(SHRINKWRAP, { force: true })
}
