// The library under test.
export type Library = typeof import('../../../src/library/index.js')

export const loadLibrary = (): Promise<Library> => import('../../../src/library/index.js')
