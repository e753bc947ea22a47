// Where a program listens, as text of an address.

/** `host:port`; IPv6 goes into brackets. */
export const hostPort = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`

/** Where a program that listens there is reached from its own machine: every address stands for the local one too. */
export const localHostPort = (host: string, port: number): string =>
  hostPort(host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host, port)
