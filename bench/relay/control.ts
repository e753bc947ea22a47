// A process that sleeps a millisecond at a time and notes how late it wakes: what this machine does to everybody.
import { spreadOf } from './client/figures.js'

const cell = new Int32Array(new SharedArrayBuffer(4))
const late: number[] = []
let isOver = false
process.on('message', () => {
  isOver = true
})
process.send?.('ready')

function watch(): void {
  for (let turn = 0; turn < 20; turn++) {
    const begun = performance.now()
    Atomics.wait(cell, 0, 0, 1)
    late.push(performance.now() - begun - 1)
  }
  if (isOver) process.send?.(spreadOf(late), () => process.exit())
  else setImmediate(watch)
}
watch()
