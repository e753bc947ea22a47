export { type ProxyWishes, renderProxy } from './proxy.js'
export { publicRelay, renderRelayProxy } from './relay-proxy.js'
