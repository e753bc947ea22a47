// The address of a PostgreSQL cluster, as the settings give it: postgresql://user@a:5432,b:5432,c:5432/grinpay?sslmode=verify-full
import { Secret } from './secret.js'

export interface DatabaseHost {
  readonly host: string
  readonly port: number
}

export interface DatabaseAddress {
  /** In the order in which they are tried. */
  readonly hosts: readonly DatabaseHost[]
  readonly user: string
  readonly password: Secret | undefined
  readonly database: string
  /** Undefined: without TLS. */
  readonly tls: { readonly caFile: string | undefined } | undefined
  /** The file that holds this address: the login of every new connection is what stands there then. */
  readonly file?: string | undefined
}

const FORM = /^postgres(?:ql)?:\/\/(?:([^:@/?#]+)(?::([^@/?#]*))?@)?([^@/?#]+)\/([^/?#]+)(?:\?([^#]*))?$/
const HOST = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?$/
const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/
const MOST_HOSTS = 16
const DEFAULT_PORT = 5432
const PARAMETERS = ['sslmode', 'sslrootcert'] as const

/** Throws RangeError with the end of a sentence "NAME …", which never quotes the address: it may hold a password. */
export function parseDatabaseAddress(text: string): DatabaseAddress {
  const [, user, password, hostList = '', database = '', query = ''] = FORM.exec(text) ?? refuse(FORM_WANTED)
  if (user === undefined) return refuse('must name the user: postgresql://user@host/database')
  const hosts = hostList.split(',').map(parseHost)
  if (hosts.length > MOST_HOSTS) return refuse(`must have at most ${MOST_HOSTS} hosts`)
  return {
    hosts,
    user: decoded(user),
    password: password ? new Secret(decoded(password)) : undefined,
    database: decoded(database),
    tls: tlsOf(parametersOf(query), hosts),
  }
}

/** For messages: "a:5432, b:5432". */
export const formatDatabaseHost = ({ host, port }: DatabaseHost): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

const FORM_WANTED = 'must look like postgresql://user@a:5432,b:5432,c:5432/grinpay?sslmode=verify-full'

function refuse(problem: string): never {
  throw new RangeError(problem)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return refuse('has a % that begins no percent-encoded character')
  }
}

function parseHost(text: string): DatabaseHost {
  const [, bracketed, plain, digits] = HOST.exec(text) ?? refuse('has a host that is neither a name nor an address')
  const port = digits === undefined ? DEFAULT_PORT : Number(digits)
  if (port < 1 || port > 65_535) return refuse('has a port outside 1 to 65535')
  return { host: bracketed ?? plain ?? '', port }
}

function parametersOf(query: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(query)) {
    if (!PARAMETERS.some((known) => known === name) || parameters.has(name))
      return refuse(`must have no parameters but ${PARAMETERS.join(' and ')}, each once`)
    parameters.set(name, value)
  }
  return parameters
}

/** Without `sslmode`, only hosts of this machine are reached without TLS. The modes between the two verify nothing. */
function tlsOf(parameters: ReadonlyMap<string, string>, hosts: readonly DatabaseHost[]): DatabaseAddress['tls'] {
  const initial = hosts.every(({ host }) => LOOPBACK.test(host)) ? 'disable' : 'verify-full'
  const mode = parameters.get('sslmode') ?? initial
  const caFile = parameters.get('sslrootcert')
  if (mode === 'verify-full') return { caFile }
  if (mode !== 'disable') return refuse('must have sslmode=verify-full, or disable inside a private network')
  return caFile === undefined ? undefined : refuse('has sslrootcert, which means nothing with sslmode=disable')
}
