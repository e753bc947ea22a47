export { type ProxyWishes, renderProxy } from './proxy.js'
