// What every template of the console finds at `it.ui`: amounts, times, tokens of forms, names of assets, and who reads the page.

import { formatGrin, type NanoGrin } from '../../grin/amount/index.js'
import type { Views } from '../../http/index.js'
import { asHtml, escapeHtml, type Html } from '../html.js'
import { type Access, isAllowed } from '../sign-in/roles.js'
import type { SignedIn } from '../sign-in/sign-in.js'
import { sealOf } from '../sign-in/tokens.js'

/** The field of a form that carries its token. */
export const TOKEN_FIELD = 'token'

const SECOND = 1000
const STEPS = [
  { name: 'day', ms: 86_400 * SECOND },
  { name: 'hour', ms: 3600 * SECOND },
  { name: 'minute', ms: 60 * SECOND },
] as const

/** `2026-11-23 12:46:05` of epoch milliseconds, in UTC. */
const printTime = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')

/** `3 minutes ago`, `in 2 hours`, `just now`. */
function printAgo(ms: number, now: number): string {
  const away = Math.abs(now - ms)
  const step = STEPS.find((one) => away >= one.ms)
  if (!step) return 'just now'
  const count = Math.floor(away / step.ms)
  const span = `${count} ${step.name}${count === 1 ? '' : 's'}`
  return ms <= now ? `${span} ago` : `in ${span}`
}

interface UiParts {
  readonly views: Views
  readonly signedIn: SignedIn
  readonly now: number
}

export function createUi({ views, signedIn, now }: UiParts) {
  const { session, cookie } = signedIn
  const time = (ms: number, text: string, title = ''): Html =>
    asHtml(`<time datetime="${new Date(ms).toISOString()}"${title}>${text}</time>`)
  return {
    person: { name: session.name, role: session.role },
    /** Whether the reader may open a page or send a form of this access. */
    can: (least: Access): boolean => isAllowed(session.role, least),
    /** `1.5`: GRIN without its unit. */
    grin: (amount: bigint): string => formatGrin(amount as NanoGrin),
    /** `1.5 GRIN`, the unit small. */
    amount: (amount: bigint): Html =>
      asHtml(`<span class="amount">${formatGrin(amount as NanoGrin)} <span class="unit">GRIN</span></span>`),
    /** UTC, to the second. */
    time: (ms: number): Html => time(ms, printTime(ms)),
    /** `3 minutes ago`, with the time as its title. */
    ago: (ms: number): Html => time(ms, printAgo(ms, now), ` title="${printTime(ms)} UTC"`),
    /** The hidden field of a form that posts to `/console{path}`; `path` as it stands in the form's action, without `/console`. */
    token: (path: string): Html => {
      const seal = sealOf(cookie, 'form', path)
      return asHtml(`<input type="hidden" name="${TOKEN_FIELD}" value="${seal}">`)
    },
    /** The opening tag of a form that posts to `/console{path}`, with its token. `className` is optional. */
    form(path: string, className = ''): Html {
      const style = className === '' ? '' : ` class="${escapeHtml(className)}"`
      return asHtml(`<form method="post" action="${escapeHtml(`/console${path}`)}"${style}>${this.token(path)}`)
    },
    /** The address of a file of `templates/console/assets/`. Throws RangeError. */
    asset: (file: string): string => `/static/${views.assetName(file)}`,
  }
}
