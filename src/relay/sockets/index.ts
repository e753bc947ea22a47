export { attachSockets, type SocketParts } from './sockets.js'
