const KEY = /^[0-9a-f]{64}$/

/** Whether a text has the form of a public key: 64 lower-case hex digits. */
export const isKey = (text: string): boolean => KEY.test(text)
