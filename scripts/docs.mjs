// Rewrites what is generated: docs/cli.md, docs/settings.md, docs/relay.example.toml, docs/errors.md, docs/library-errors.md, docs/performance.md, openapi/pay.json, openapi/nameauth.json.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { tsImport } from 'tsx/esm/api'
import { build } from './build.mjs'
import { cliPage, errorsIn, errorsPage, libraryErrorsPage, settingsPage } from './pages.mjs'
import { performancePage } from './performance-page.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
build({ ifNeeded: true })

const load = (path) => import(pathToFileURL(join(root, 'dist', path)).href)
const json = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const catalogues = readdirSync(join(root, 'dist'), { recursive: true }).filter((file) => /(^|\/)errors\.js$/.test(file))

const { EXIT, EXIT_MEANING, exitCodeOf } = await load('cli/exit-codes.js')
const { settingGroups } = await load('config/index.js')
const { tillOpenapi } = await load('till/index.js')
const { authorityOpenapi } = await load('authority/routes/openapi.js')
const { renderRelayToml } = await load('wizard/relay/toml.js')
const { version } = json('package.json')
const errors = errorsIn(await Promise.all(catalogues.sort().map(load)), exitCodeOf)

// The library and its wallet are no part of the till's build.
const source = (file) => tsImport(`../src/${file}`, import.meta.url)
const ofLibrary = readdirSync(join(root, 'src'), { recursive: true }).filter((file) =>
  /^(grin|wallet|prover)[\\/](.*[\\/])?errors\.ts$/.test(file),
)
const libraryErrors = errorsIn(await Promise.all(ofLibrary.sort().map(source)), () => 0)

const pages = {
  'docs/settings.md': settingsPage({
    pay: settingGroups('pay'),
    nameauth: settingGroups('nameauth'),
    relay: settingGroups('relay'),
  }),
  'docs/relay.example.toml': renderRelayToml(new Map()),
  'docs/cli.md': cliPage(json('oclif.manifest.json'), EXIT, EXIT_MEANING),
  'docs/errors.md': errorsPage(errors),
  'docs/library-errors.md': libraryErrorsPage(libraryErrors),
  'docs/performance.md': performancePage(json('bench/baseline.json')),
  'openapi/pay.json': tillOpenapi(version),
  'openapi/nameauth.json': authorityOpenapi(version),
}
for (const [path, text] of Object.entries(pages)) writeFileSync(join(root, path), text)
process.stderr.write(`docs: wrote ${Object.keys(pages).join(', ')}\n`)
