/** The variable that stands for a key of the relay's file, `section.key`. */
export const variableOf = (key: string): string => `RELAY_${key.replace('.', '_').toUpperCase()}`
