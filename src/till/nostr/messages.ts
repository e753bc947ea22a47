// What a message over Nostr says, and how a reply is written (specification: invoicing, 4.3, 4.4 and 4.7).
import { countArmors, firstArmor, slatepackErrors } from '../../grin/slatepack/index.js'
import type { GrinpayError } from '../../lib/errors.js'
import { membersOf, parseJson } from '../../lib/parse-json.js'
import { RUMOR_KIND } from '../../nostr/event/index.js'
import { MAX_RUMOR_CONTENT, type Rumor } from '../../nostr/gift-wrap/index.js'
import { cleanNote } from '../invoices/terms.js'
import type { MessageLayout } from '../model.js'

export type PayerMessage =
  | {
      readonly kind: 'slatepack'
      /** From `BEGINSLATEPACK.` to `ENDSLATEPACK.`, and nothing around it. */
      readonly armor: string
      readonly layout: MessageLayout
      readonly subject: string | null
    }
  /** The payer takes a payment back. */
  | { readonly kind: 'void'; readonly slateId: string }
  /** Meant as a payment, and the payer should hear why it is none. */
  | { readonly kind: 'refused'; readonly error: GrinpayError }
  /** Nothing for a till: small talk, receipts, other programs. */
  | { readonly kind: 'other' }

type MessageRumor = Pick<Rumor, 'kind' | 'tags' | 'content'>

const OTHER: PayerMessage = { kind: 'other' }
const SLATE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** What the Goblin wallet begins a payment message with; exactly so, for people whose program shows it as text. */
const PREAMBLE = '[Goblin] GRIN payment message \u2014 open in Goblin (https://goblin.st) to process.'
const JSON_TYPE = 'grin-slatepack'

/** Decides by the armor alone; preamble and tags may say what they want. */
export function readMessage(rumor: MessageRumor): PayerMessage {
  if (rumor.kind !== RUMOR_KIND || Buffer.byteLength(rumor.content) > MAX_RUMOR_CONTENT) return OTHER
  const slateId = voidedSlate(rumor)
  if (slateId !== undefined) return { kind: 'void', slateId }
  const json = jsonOffer(rumor.content)
  const text = json?.slatepack ?? rumor.content
  if (countArmors(text) === 2) return { kind: 'refused', error: slatepackErrors.twoSlatepacks() }
  const armor = firstArmor(text)
  if (armor === undefined) return OTHER
  return { kind: 'slatepack', armor, layout: json ? 'json' : 'plain', subject: subjectOf(rumor, json) }
}

function voidedSlate({ tags }: MessageRumor): string | undefined {
  const [, , slateId] = tags.find(([name, action]) => name === 'goblin-action' && action === 'void') ?? []
  return slateId !== undefined && SLATE_ID.test(slateId) ? slateId : undefined
}

/** The first subject tag counts; in the JSON form a wallet writes its note into the object. */
function subjectOf({ tags }: MessageRumor, json: JsonOffer | undefined): string | null {
  const tag = tags.find(([name]) => name === 'subject')
  return cleanNote(tag ? tag[1] : json?.memo)
}

interface JsonOffer {
  readonly slatepack: string
  readonly memo: string | undefined
}

/** The object that Smirk wallets send; undefined for everything else. */
function jsonOffer(content: string): JsonOffer | undefined {
  const { type, role, slatepack, memo } = membersOf(parseJson(content))
  if (type !== JSON_TYPE || role !== 'offer' || typeof slatepack !== 'string') return undefined
  return { slatepack, memo: typeof memo === 'string' ? memo : undefined }
}

export interface ReplyFacts {
  /** The armored S2. */
  readonly armor: string
  readonly slateId: string
}

/** The content of the message that carries an S2: the layout the payer wrote in. */
export function replyContent(layout: MessageLayout, { armor, slateId }: ReplyFacts): string {
  const slatepack = armor.trim()
  if (layout === 'plain') return `${PREAMBLE}\n\n${slatepack}`
  return JSON.stringify({ type: JSON_TYPE, v: 1, role: 'response', slateId, slatepack })
}
