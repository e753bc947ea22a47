export { attachSockets, type SocketParts, type Sockets } from './sockets.js'
