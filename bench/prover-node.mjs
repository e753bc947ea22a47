// The program of bench/browser.ts: measures in Node, and prints the samples.
import { createProver } from '@grinpay/grin/prover'
import { measureRounds } from './prover-rounds.mjs'

console.log(JSON.stringify(await measureRounds(createProver, Number(process.argv[2]))))
