// One HTTP request through a SOCKS port, as a payer's wallet makes it.
import { connect } from 'node:net'

/** The answer's text, status line included. Rejects when the service cannot be reached. */
export const visitOnion = (
  socks: { readonly host: string; readonly port: number },
  onion: string,
  request: string,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(socks)
    const greeting = Uint8Array.of(5, 1, 0)
    const name = Buffer.from(onion)
    const target = Buffer.concat([Uint8Array.of(5, 1, 0, 3, name.length), name, Uint8Array.of(0, 80)])
    let got = Buffer.alloc(0)
    let step: 'greeting' | 'target' | 'answer' = 'greeting'
    socket.on('connect', () => socket.write(greeting))
    socket.on('error', reject)
    socket.on('data', (bytes) => {
      got = Buffer.concat([got, bytes])
      if (step === 'greeting' && got.length >= 2) {
        got = got.subarray(2)
        step = 'target'
        socket.write(target)
      }
      if (step === 'target' && got.length >= 10) {
        if (got[1] !== 0) return void socket.destroy(new Error(`SOCKS answers ${got[1]}`))
        got = got.subarray(10)
        step = 'answer'
        socket.write(request)
      }
    })
    socket.on('close', () =>
      step === 'answer' ? resolve(got.toString()) : reject(new Error('the SOCKS port closed the connection')),
    )
  })
