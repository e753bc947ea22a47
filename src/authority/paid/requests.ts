// Parses the bodies of quotes and webhooks.
import { membersOf, parseJson } from '../../lib/parse-json.js'
import { invalidBody } from '../errors.js'

/** The resource that a quote asks for (specification: names, 6 "Quote"). Throws INVALID_BODY. */
export function askedResource(body: Uint8Array): string {
  const { resource } = membersOf(read(body))
  if (typeof resource !== 'string') throw invalidBody()
  return resource
}

/** The invoice that a webhook names, if it names one. Throws INVALID_BODY for what is no JSON (specification: names, 9). */
export function namedInvoice(body: Uint8Array): string | undefined {
  const value = read(body)
  if (value === undefined) throw invalidBody()
  const { invoice_id: id } = membersOf(value)
  return typeof id === 'string' && id !== '' ? id : undefined
}

const read = (body: Uint8Array): unknown => parseJson(new TextDecoder().decode(body))
