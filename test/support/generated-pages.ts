// The pages of docs that are generated and not committed, as `npm run docs` writes them from the source.
import { join } from 'node:path'
import { generatedPages } from '../../scripts/pages.mjs'
import { ROOT } from './till-process.js'

/** By file name. */
export const GENERATED_PAGES = await generatedPages(ROOT, (file) => import(join('..', '..', 'src', `${file}.js`)))
