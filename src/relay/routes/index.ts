export { RELAY_APP } from './answers.js'
export { type ManagementOptions, managementRoute } from './management.js'
export { type RelayHttpOptions, relayHttp } from './relay-http.js'
