export const tillOpenapi = (version: string): string => version
