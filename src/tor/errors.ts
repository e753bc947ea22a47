// Errors between the till and tor. No text quotes a password, a cookie or a key.
import { defineError } from '../lib/errors.js'

export const torUnreachable = defineError('TOR_UNREACHABLE', {
  status: 503,
  text: (where: string, why: string) => `tor cannot be reached at ${where}: ${why}`,
  hint: 'start tor, or set PAY_TOR_CONTROL (Debian: unix:/run/tor/control)',
})

/** tor accepted the command but did not reply. */
export const torSilent = defineError('TOR_SILENT', {
  status: 503,
  text: (where: string, what: string, seconds: number) => `tor at ${where} did not answer ${what} within ${seconds} s`,
  hint: 'systemctl restart tor, or check PAY_TOR_CONTROL',
})

export const torDisconnected = defineError('TOR_DISCONNECTED', {
  status: 503,
  text: (where: string, why: string) => `the control connection to tor at ${where} ended: ${why}`,
  hint: 'systemctl status tor',
})

export const torNonsense = defineError('TOR_NONSENSE', {
  status: 503,
  text: (where: string, why: string) => `the program at ${where} does not speak tor's control protocol: ${why}`,
  hint: 'set PAY_TOR_CONTROL to the ControlPort or ControlSocket of tor',
})

export const torCookieUnreadable = defineError('TOR_COOKIE_UNREADABLE', {
  status: 503,
  text: (path: string, why: string) => `cannot use tor's cookie file ${path}: ${why}`,
  hint: "add the till to tor's group (systemd: SupplementaryGroups=debian-tor) and set CookieAuthFileGroupReadable 1 in torrc",
})

export const torLoginRefused = defineError('TOR_LOGIN_REFUSED', {
  status: 503,
  text: (where: string, why: string) => `tor at ${where} refused the login: ${why}`,
  hint: 'set CookieAuthentication 1 in torrc, or PAY_TOR_PASSWORD to the password of HashedControlPassword',
})

/** The listener did not prove that it is tor, so it gets no key. */
export const torNotGenuine = defineError('TOR_NOT_GENUINE', {
  status: 503,
  text: (where: string, why: string) => `the onion key was not sent to ${where}: ${why}`,
  hint: 'set CookieAuthentication 1 in torrc, or use the control socket: PAY_TOR_CONTROL=unix:/run/tor/control',
})

export const torRefused = defineError('TOR_REFUSED', {
  status: 503,
  text: (what: string, status: number, answer: string) => `tor refused ${what}: ${status} ${answer}`,
  hint: 'see journalctl -u tor@default',
})

/** Another control connection or the torrc serves the till's address. */
export const onionTaken = defineError('ONION_TAKEN', {
  status: 503,
  text: (onion: string) => `tor already serves ${onion}, for another program or from torrc`,
  hint: 'stop the other till, or set PAY_TOR_CONTROL=off if torrc forwards the address',
})

export const onionOther = defineError('ONION_OTHER', {
  status: 503,
  text: (got: string, wanted: string) => `tor created the onion service ${got} from the wallet key, expected ${wanted}`,
  hint: 'report this: the wallet key and the address do not belong together',
})
