// Remedies on the command line, by error code. The modules that throw these errors also serve programs, which have no flags.

const ADVICE: Readonly<Record<string, string>> = {
  DAEMON_UNREACHABLE: 'start it with "grinpay serve pay", or name another with --url',
  DAEMON_TIMEOUT: 'grinpay status shows what it waits for',
  NOT_A_TILL: 'check --url: it must be the address of the daemon, mount path included',
  TOKEN_MISSING: 'name a file that holds it with --token-file, or the settings of the daemon with --settings',
  UNAUTHORIZED:
    'the token does not fit: "invoice create", "show" and "wait" take the API token, all others the admin token (--token-file)',
}

/** The remedy at a shell; undefined where the error's own hint suffices. */
export const shellAdviceFor = (code: string): string | undefined => ADVICE[code]
