// HTML templates and static files of the package: read and compiled once, served from memory.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import type { FastifyPluginAsync } from 'fastify'
import { notFound } from './errors.js'

/** Beside `src/` in the repository and beside `dist/` in the package: the same distance from both. */
const ROOT = fileURLToPath(new URL('../../templates/', import.meta.url))
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
}

interface Asset {
  readonly bytes: Buffer
  readonly type: string
}

export interface Views {
  /** Renders `folder/name`; values are escaped unless the template says otherwise. */
  render(name: string, data: object): string
  /** The served file name of an asset, with its content hash: `style.css` → `style.0f3a….css`. Throws RangeError. */
  assetName(file: string): string
  readonly assets: ReadonlyMap<string, Asset>
}

/** The templates of one part of the package, for `openViews`. */
export const templatesOf = (folder: string): string => join(ROOT, folder)

/** Reads the templates below `root`, and the files of its folder `assets`. */
export function openViews(root: string = ROOT): Views {
  const eta = withKnownPaths(new Eta({ views: root, cache: true, autoTrim: [false, 'nl'] }))
  const assets = new Map<string, Asset>()
  const names = new Map<string, string>()
  for (const file of readdirSync(join(root, 'assets'))) {
    const bytes = readFileSync(join(root, 'assets', file))
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
    const name = file.replace(/(\.[a-z]+)$/, `.${hash}$1`)
    names.set(file, name)
    assets.set(name, { bytes, type: TYPES[extname(file)] ?? 'application/octet-stream' })
  }
  return {
    render: (name, data) => eta.render(`./${name}`, data),
    assetName(file) {
      const name = names.get(file)
      if (name === undefined) throw new RangeError(`no asset ${file}`)
      return name
    },
    assets,
  }
}

/** Finds the file of each template once. The engine does so for every include, which took a fifth of the time of a page. */
function withKnownPaths(eta: Eta): Eta {
  const { resolvePath } = eta
  const paths = new Map<string, string>()
  eta.resolvePath = (name, options) => {
    const key = `${options?.filepath} ${name}`
    const path = paths.get(key) ?? resolvePath?.call(eta, name, options) ?? name
    paths.set(key, path)
    return path
  }
  return eta
}

/** GET /static/{name}: the name holds the content's hash, so a copy never goes stale. */
export const assetRoutes: FastifyPluginAsync<{ views: Views }> = async (app, { views }) => {
  app.get<{ Params: { name: string } }>('/static/:name', async ({ params }, reply) => {
    const asset = views.assets.get(params.name)
    if (!asset) throw notFound()
    return reply.header('cache-control', 'public, max-age=86400').type(asset.type).send(asset.bytes)
  })
}
