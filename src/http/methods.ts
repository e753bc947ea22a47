// Which methods a path has: for 405 and its Allow header. The framework itself only knows "no such route".
import type { FastifyInstance } from 'fastify'

/** Watches routes being added; the answer lists the methods of a path, empty when no route has it. */
export function watchMethods(app: FastifyInstance): (path: string) => readonly string[] {
  const routes = new Map<string, { readonly path: RegExp; readonly methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = routes.get(url) ?? { path: patternOf(url), methods: new Set<string>() }
    for (const one of [method].flat()) known.methods.add(one)
    routes.set(url, known)
  })
  return (path) => {
    const methods = [...routes.values()].filter((route) => route.path.test(path)).flatMap((route) => [...route.methods])
    return [...new Set(methods)].sort()
  }
}

const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
      .join('/')}$`,
  )
