// One finding about the settings: the name of the setting beside the sentence, so that callers select by name.

/** Something that is wrong with the settings. */
export interface SettingProblem {
  /** As docs/settings.md calls it (`section.key` of the relay), or as it was written; null: the file as a whole. */
  readonly setting: string | null
  /** The whole sentence, which names the setting; never quotes a secret. */
  readonly text: string
}

/** Something that is allowed and worth a line. */
export interface SettingNotice extends SettingProblem {
  /** The command that mends it, where others can read a secret. */
  readonly remedy?: string
  /** What to write instead, where others read the same line differently. */
  readonly advice?: string
  /** `text` without the name of the setting, for a form that shows the name already. */
  readonly predicate?: string
}

/** Those about the named settings. */
export const problemsAbout = (
  problems: readonly SettingProblem[],
  names: readonly string[],
): readonly SettingProblem[] => problems.filter(({ setting }) => setting !== null && names.includes(setting))
