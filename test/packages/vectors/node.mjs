// Runs all vectors in Node with the installed package, and those of seed files, whose entry is for Node only. Prints the results as JSON.
// Arguments: the folder of the vectors; `changed` for the self-test.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { importGrinWalletSeed } from '@grinpay/grin/seedfile'
import { codeOf, runChecks } from './check.mjs'
import { parsed, runAll } from './index.mjs'

const [folder, mode] = process.argv.slice(2)
const load = (file) => parsed(file, readFileSync(join(folder, file), 'utf8'))

const seedFileCases = ({ files }) =>
  files.map(({ mnemonic, entropy, password, wallet_seed }) => [
    mnemonic,
    async () => {
      const text = JSON.stringify(wallet_seed)
      const wrong = await codeOf(() => importGrinWalletSeed(text, `${password}!`))
      return [
        [await importGrinWalletSeed(text, password), wrong],
        [entropy, 'SEED_WRONG_PASSWORD'],
      ]
    },
  ])

const SEED_FILE = 'wallet/seedfile.json'
const shared = await runAll(load, { changed: mode === 'changed' })
const nodeOnly = await runChecks({ [SEED_FILE]: seedFileCases }, { [SEED_FILE]: load(SEED_FILE) })
console.log(JSON.stringify({ shared, nodeOnly }))
