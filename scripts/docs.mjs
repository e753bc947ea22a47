// Writes what is generated: the pages of docs that are not committed (pages.mjs), docs/relay.example.toml, openapi/pay.json, openapi/nameauth.json.
// A file that says the same already is left alone. `npm run docs`; packing runs it too.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { tsImport } from 'tsx/esm/api'
import { build } from './build.mjs'
import { generatedPages } from './pages.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
build({ ifNeeded: true })

/** The library and its wallet are no part of the till's build. */
function load(file) {
  const built = join(root, 'dist', `${file}.js`)
  return existsSync(built) ? import(pathToFileURL(built).href) : tsImport(`../src/${file}.ts`, import.meta.url)
}

const { tillOpenapi } = await load('till/index')
const { authorityOpenapi } = await load('authority/routes/openapi')
const { renderRelayToml } = await load('wizard/relay/toml')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const pages = Object.entries(await generatedPages(root, load)).map(([name, text]) => [`docs/${name}`, text])
const all = [
  ...pages,
  ['docs/relay.example.toml', renderRelayToml(new Map())],
  ['openapi/pay.json', tillOpenapi(version)],
  ['openapi/nameauth.json', authorityOpenapi(version)],
].map(([path, text]) => ({ path: join(root, path), text }))
const changed = all.filter(({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
for (const { path, text } of changed) writeFileSync(path, text)
process.stderr.write(`docs: wrote ${changed.length} of ${all.length} files\n`)
