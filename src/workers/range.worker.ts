// Thread entry: makes and checks range proofs.
import { warmRangeProofs } from '../grin/crypto/index.js'
import { answerRange } from './range-requests.js'
import { serveRequests } from './serve-requests.js'

serveRequests({ warm: warmRangeProofs, answer: answerRange })
