// The frame around every page: head, navigation by role, flash, foot; and its content policy. Pages without scripts have no script source.
import type { FastifyReply } from 'fastify'
import type { Views } from '../../http/index.js'
import type { ConsoleArea, ConsolePage, PageContent } from '../area.js'
import { asHtml, type Html } from '../html.js'
import { isAllowed, type Role } from '../sign-in/roles.js'
import type { Flash } from './flash.js'

/** What all pages of one console share. */
export interface ConsoleSite {
  /** Of the shop, or of the daemon. */
  readonly name: string
  /** `SANDBOX`, `TESTNET`: says that this is not real money; null on mainnet. */
  readonly banner: { readonly name: string; readonly text: string } | null
}

interface NavigationEntry {
  readonly href: string
  readonly label: string
  /** Of another hundred than the entry before. */
  readonly begins: boolean
}

export interface FramedPage {
  readonly content: PageContent
  readonly page: Pick<ConsolePage, 'path' | 'title' | 'frame' | 'scripts' | 'manifest'>
  /** Absent: without sign-in. */
  readonly person?: { readonly name: string; readonly role: Role; readonly signOut: Html } | undefined
  readonly flash?: Flash | undefined
}

export type Frame = ReturnType<typeof createFrame>

export function createFrame(views: Views, site: ConsoleSite, areas: readonly ConsoleArea[]) {
  const entries = areas
    .flatMap((area) => area.pages)
    .flatMap(({ path, least, navigation }) => (navigation ? [{ path, least, ...navigation }] : []))
    .sort((a, b) => a.order - b.order)
  const byRole = new Map<Role, readonly NavigationEntry[]>()
  const assets = {
    style: `/static/${views.assetName('console.css')}`,
    mark: `/static/${views.assetName('mark.svg')}`,
    counterStyle: `/static/${views.assetName('pos.css')}`,
    touchIcon: `/static/${views.assetName('icon-192.png')}`,
  }

  function navigationOf(role: Role): readonly NavigationEntry[] {
    const known = byRole.get(role)
    if (known) return known
    const own = entries
      .filter(({ least }) => isAllowed(role, least))
      .map(({ path, label, order }, at, all) => {
        const before = all[at - 1]
        const begins = before !== undefined && hundredsOf(before.order) !== hundredsOf(order)
        return { href: `/console${path}`, label, begins }
      })
    byRole.set(role, own)
    return own
  }

  return {
    /** The first page of a role; undefined: it has none. */
    startOf: (role: Role): string | undefined => navigationOf(role)[0]?.href,
    /** Sends the page with its policy. */
    send(reply: FastifyReply, { content, page, person, flash }: FramedPage): FastifyReply {
      const { frame = 'console' } = page
      const scripts = content.scripts ?? page.scripts ?? []
      const title = content.title ?? page.title
      const here = `/console${page.path}`
      const data = {
        ...assets,
        site,
        title,
        bare: frame === 'bare',
        counter: frame === 'counter',
        body: content.body,
        refreshSeconds: content.refreshSeconds,
        refreshTo: content.refreshTo,
        scripts: scripts.map((file) => `/static/${views.assetName(file)}`),
        manifest: page.manifest ?? null,
        flash,
        person,
        navigation: person && navigationOf(person.role).map((one) => ({ ...one, current: isBelow(here, one.href) })),
      }
      return reply
        .code(content.status ?? 200)
        .header('content-security-policy', pagePolicy(scripts.length > 0))
        .type('text/html; charset=utf-8')
        .send(views.render('layout', data))
    },
    view: (name: string, data: object): Html => asHtml(views.render(name, data)),
  }
}

/** A page below an entry belongs to it: the page of one invoice to the list of them. */
const isBelow = (here: string, href: string): boolean =>
  here === href || (href !== '/console/' && here.startsWith(`${href}/`))

const STILL = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]

/** `connect-src` is for a script that loads the page again or listens to its events. */
const pagePolicy = (hasScripts: boolean): string =>
  [...STILL, ...(hasScripts ? ["script-src 'self'", "connect-src 'self'"] : [])].join('; ')

const hundredsOf = (order: number): number => Math.floor(order / 100)
