// node --import tsx bench/relay/fill-strfry.ts SET FOLDER: a database of strfry that holds a set.
import { fileOf, type SetName } from './data/sets.js'
import { fillStrfry } from './relays/strfry.js'

const [set, folder] = process.argv.slice(2) as [SetName, string]
await fillStrfry(fileOf(set), folder)
