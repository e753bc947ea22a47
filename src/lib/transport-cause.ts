// Why a request failed, as text that an operator can act on.

const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ECONNRESET: 'the connection was closed before an answer came',
  EPIPE: 'the connection was closed before an answer came',
  UND_ERR_SOCKET: 'the connection was closed before an answer came',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host is not reachable',
  ENETUNREACH: 'the network is not reachable',
  ETIMEDOUT: 'the connection could not be made in time',
  UND_ERR_CONNECT_TIMEOUT: 'the connection could not be made in time',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is self-signed',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate chain is incomplete',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is not signed by an authority this machine knows',
  EPROTO: 'the other side does not speak TLS as expected',
}

/** Error codes of a kept-alive connection that the other side has closed. */
const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** The innermost error code of something that was thrown, or an empty text. */
function transportCode(thrown: unknown): string {
  let code = ''
  for (let at = thrown, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string') code = at.code
  }
  return code
}

/** One line without addresses, paths or secrets. */
export function transportCause(thrown: unknown): string {
  const code = transportCode(thrown)
  if (code.startsWith('HPE_')) return 'the answer is not HTTP'
  return CAUSES[code] ?? (code === '' ? 'the request failed' : `the request failed (${code})`)
}

/** Whether a request failed because its connection had been closed: worth one more try on a fresh one. */
export const wasClosed = (thrown: unknown): boolean => CLOSED.has(transportCode(thrown))
