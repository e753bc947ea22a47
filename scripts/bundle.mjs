// Joins compiled files with what they depend on: the files of `@grinpay/grin/browser`, and the sizes that programs of browsers come to.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { buildSync } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

const OPTIONS = { bundle: true, minify: true, format: 'esm', platform: 'browser', target: 'es2022', logLevel: 'error' }

/** `node_modules/@noble/hashes` of a path inside it, the innermost one. */
const packageOf = (path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  if (file === undefined) throw new Error(`${name} has no licence file`)
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
}

/** Bundles entries (name → file) into a folder, beside the licences of what went in. */
export function bundleInto(folder, entries) {
  // The folder may lie outside the repository; its packages are those of the lock file all the same.
  const where = { absWorkingDir: root, nodePaths: [join(root, 'node_modules')], outdir: folder }
  const { metafile } = buildSync({ ...OPTIONS, ...where, entryPoints: entries, metafile: true })
  const packages = new Set(Object.keys(metafile.inputs).flatMap((path) => packageOf(join(root, path)) ?? []))
  const texts = [...packages].sort().map(licenceOf)
  writeFileSync(join(folder, 'LICENSES.txt'), [...new Set(texts)].join(`\n${'-'.repeat(80)}\n\n`))
}

/** What programs come to, all of their code in one file: bytes minified, and gzipped. `folder` is where their imports are looked up. */
export function sizeOf(program, folder) {
  const { outputFiles } = buildSync({ ...OPTIONS, stdin: { contents: program, resolveDir: folder }, write: false })
  const [{ contents }] = outputFiles
  return { bytes: contents.length, gzipped: gzipSync(contents, { level: 9 }).length }
}

const using = (name, ...verbs) =>
  `import { ${verbs.join(', ')} } from '@grinpay/grin/${name}'\nconsole.log(${verbs.join(', ')})\n`

/** Programs of browsers, by what they do. */
export const PROGRAMS = {
  'receive and slatepack': `${using('receive', 'receiveS1', 'replyArmor')}${using('slatepack', 'readSlatepack', 'armorSlate')}`,
  'receive, slatepack and keychain': `${using('receive', 'receiveS1', 'replyArmor')}${using('slatepack', 'readSlatepack')}${using('keychain', 'openKeychain', 'entropyFromMnemonic')}`,
  slatepack: using('slatepack', 'readSlatepack', 'armorSlate'),
  'slatepack without encryption': using('slatepack', 'dearmor', 'decodeEnvelope', 'armor', 'encodeEnvelope'),
  slate: using('slate', 'decodeSlate', 'formatSlateJson'),
  wallet: using('wallet', 'openWallet', 'openIndexedDbStorage', 'createFetchNode'),
  everything: "import * as grin from '@grinpay/grin'\nconsole.log(grin)\n",
}
