export { missingCertificates, requireCertificates } from './certificates.js'
export { type ProxyOptions, renderProxy } from './proxy.js'
export { publicRelay, renderRelayProxy } from './relay-proxy.js'
export { renderTillProxy } from './till-proxy.js'
