// The unit tests of one worker share their process. A file that leaves another environment or folder behind fails itself, instead of a later file.
import { afterAll, expect } from 'vitest'

const { env } = process
const before = { cwd: process.cwd(), HOME: env.HOME, PATH: env.PATH }

afterAll(() => {
  // A replaced `process.env` is an ordinary object: what is set in it reaches neither the system nor `os.homedir()`.
  expect(process.env === env, 'process.env is the object that it was').toBe(true)
  expect({ cwd: process.cwd(), HOME: env.HOME, PATH: env.PATH }).toEqual(before)
})
