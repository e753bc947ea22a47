// The sandbox's plain relay in a process of its own: what it costs is not the till's. Prints its address.
import { startSandboxRelay } from '../src/sandbox/relay/index.js'

const { url } = await startSandboxRelay()
console.log(url)
