// What grin-wallet takes for tor where there is no Tor network: says it is connected, and its SOCKS port leads the one onion
// service STAND_IN_ONION to the loopback port STAND_IN_PORT. Every other host is refused.
import { readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'

const torrc = readFileSync(process.argv[process.argv.indexOf('-f') + 1], 'utf8')
const [, port] = /^SocksPort\s+(?:[\d.]+:)?(\d+)/m.exec(torrc) ?? []
const { STAND_IN_ONION: onion, STAND_IN_PORT: target } = process.env

/** The next bytes of a connection, whatever the pieces they come in. */
async function take(socket, length) {
  for (;;) {
    const bytes = socket.read(length)
    if (bytes) return bytes
    if (socket.readableEnded || socket.destroyed) throw new Error('ended')
    await new Promise((resolve) => socket.once('readable', resolve).once('close', resolve))
  }
}

async function serve(socket) {
  const [, methods] = await take(socket, 2)
  await take(socket, methods)
  socket.write(Buffer.from([5, 0]))
  const [, , , kind] = await take(socket, 4)
  if (kind !== 3) throw new Error('not a host name')
  const [length] = await take(socket, 1)
  const host = (await take(socket, length)).toString()
  await take(socket, 2)
  const known = host === `${onion}.onion`
  socket.write(Buffer.from([5, known ? 0 : 4, 0, 1, 0, 0, 0, 0, 0, 0]))
  if (!known) throw new Error(`no service at ${host}`)
  const server = connect(Number(target), '127.0.0.1')
  for (const end of [socket, server]) end.on('error', () => socket.destroy(server.destroy()))
  socket.pipe(server).pipe(socket)
}

createServer((socket) => {
  socket.on('error', () => socket.destroy())
  serve(socket).catch(() => socket.destroy())
}).listen(Number(port), '127.0.0.1', () => {
  console.log('Nov 21 12:00:00.000 [notice] Bootstrapped 100% (done): Done')
})
