// What a program that is not ours gets of our environment: what it needs to run, never our tokens and passwords.

/** To find programs, its folder, and how it writes texts and times. */
const NEEDED: ReadonlySet<string> = new Set(['PATH', 'HOME', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR'])
const LOCALE = /^LC_[A-Z]+$/

/** The variables that every program needs, and those named in `also`. Everything else of `variables` stays here. */
export function programEnvironment(
  also: readonly string[] = [],
  variables: Readonly<Record<string, string | undefined>> = process.env,
): Readonly<Record<string, string>> {
  const isPassed = (name: string): boolean => NEEDED.has(name) || LOCALE.test(name) || also.includes(name)
  const passed: Record<string, string> = {}
  for (const [name, value] of Object.entries(variables)) if (value !== undefined && isPassed(name)) passed[name] = value
  return passed
}
