// What the grin1 rail wants from tor, said in the plan and on the last screen.
import { TOR_GROUP } from './unit.js'

/** Machine-wide the unit is in the group already; elsewhere the user has to be. */
export const torNeeds = (machineWide: boolean): readonly string[] => [
  'tor on this machine: apt install tor',
  "tor's control port: Debian's tor has it at /run/tor/control; elsewhere ControlPort 9051 and CookieAuthentication 1 in torrc, and PAY_TOR_CONTROL=127.0.0.1:9051",
  machineWide
    ? `the group ${TOR_GROUP}, which owns the control port: it comes with tor, so install tor before the till starts`
    : `the group ${TOR_GROUP}, which owns the control port: adduser "$USER" ${TOR_GROUP} as root, then log in anew`,
]
