export { managementRoute } from './management.js'
export { RELAY_APP, type RelayHttpOptions, relayHttp } from './relay-http.js'
