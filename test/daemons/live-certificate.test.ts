/** PAY_TLS=on: a renewed certificate serves the next connection, a bad one changes nothing. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { createLiveCertificate, readTillCertificate } from '../../src/daemons/parts/pay/live-certificate.js'
import { createFakeClock } from '../support/fake-clock.js'
import { createKeptLog } from '../support/kept-log.js'

type Name = 'first' | 'second'
const fixture = (name: string): string => join(import.meta.dirname, 'certificates', name)

function filesOf(name: Name) {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-certificate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  const put = (cert: Name, key: Name = cert): void => {
    copyFileSync(fixture(`${cert}.pem`), files.cert)
    copyFileSync(fixture(`${key}.key`), files.key)
  }
  put(name)
  return { files, put }
}

/** The name in the certificate that a new connection is shown. */
function shownBy(server: Server): Promise<string> {
  const { port } = server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN))
      socket.destroy()
    }).once('error', reject)
  })
}

async function listening() {
  const { files, put } = filesOf('first')
  const server = createServer(readTillCertificate(files), (_request, response) => void response.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const [clock, log] = [createFakeClock(), createKeptLog()]
  const certificate = createLiveCertificate({ files, server, clock, log })
  const stop = new AbortController()
  await certificate.part.start(stop.signal)
  onTestFinished(async () => {
    stop.abort()
    await new Promise((resolve) => server.close(resolve))
  })
  return { files, put, server, clock, log, certificate }
}

test('a renewed certificate is taken up within seconds', async () => {
  const { put, server, clock } = await listening()
  expect(await shownBy(server)).toBe('first.example')
  put('second')
  await clock.advance(2000)
  expect(await shownBy(server)).toBe('second.example')
})

test('a key of another certificate is logged once and changes nothing, until its certificate follows', async () => {
  const { put, server, clock, log } = await listening()
  put('first', 'second')
  for (let pass = 0; pass < 3; pass++) await clock.advance(2000)
  expect(await shownBy(server)).toBe('first.example')
  const errors = log.lines.filter(({ level }) => level === 'error')
  expect(errors.map(({ text }) => text)).toEqual(['a changed certificate cannot be used: the one in force stays'])
  put('second')
  await clock.advance(2000)
  expect(await shownBy(server)).toBe('second.example')
})

test('reload does not wait for the watch, and throws when the files are no good', async () => {
  const { files, put, server, certificate } = await listening()
  put('second')
  certificate.reload()
  expect(await shownBy(server)).toBe('second.example')
  writeFileSync(files.cert, '')
  expect(() => certificate.reload()).toThrow('PAY_TLS_CERT holds no certificate')
  expect(await shownBy(server)).toBe('second.example')
})

test.each([
  ['PAY_TLS_CERT cannot be read', (cert: string) => rmSync(cert)],
  ['PAY_TLS_CERT holds no certificate in PEM form', (cert: string) => writeFileSync(cert, 'none')],
  ['PAY_TLS_KEY cannot be read', (_cert: string, key: string) => rmSync(key)],
  ['PAY_TLS_KEY holds no private key in PEM form', (_cert: string, key: string) => writeFileSync(key, 'none')],
  [
    'PAY_TLS_KEY is not the key of the certificate',
    (_cert: string, key: string) => copyFileSync(fixture('second.key'), key),
  ],
])('a start says %s', (text, spoil) => {
  const { files } = filesOf('first')
  spoil(files.cert, files.key)
  expect(() => readTillCertificate(files)).toThrow(text)
})
