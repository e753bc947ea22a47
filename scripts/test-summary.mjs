// Adds up reports of test runs: `test-summary.mjs CHECK=EXIT… -- REPORT=EXIT…`. Prints the slowest files, every failed test
// and, as the last line, the count of everything that passed, failed and was skipped. Ends with 1 when something failed. With GRINPAY_TEST_SECONDS
// the seconds of every file that takes one are written there: test/seconds.json, after which vitest.config.ts orders the files.
import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'

const SLOWEST = 30

const given = process.argv.slice(2)
const pairs = (args) =>
  args.map((arg) => [arg.slice(0, arg.lastIndexOf('=')), Number(arg.slice(arg.lastIndexOf('=') + 1))])
const checks = pairs(given.slice(0, given.indexOf('--')))
const runs = pairs(given.slice(given.indexOf('--') + 1))

const firstLines = (text) => text.split('\n').slice(0, 6).join('\n  ')

const sum = { passed: 0, failed: 0, skipped: 0 }
const files = []
for (const [path, exit] of runs) {
  let failed = 0
  try {
    const report = JSON.parse(readFileSync(path, 'utf8'))
    failed = report.numFailedTests
    sum.passed += report.numPassedTests
    sum.skipped += report.numPendingTests + report.numTodoTests
    files.push(...report.testResults)
  } catch {
    console.log(`a run of the tests left no report (exit ${exit})`)
  }
  // A suite that broke before its first test.
  sum.failed += exit !== 0 && failed === 0 ? 1 : failed
}

const timed = files.map(({ name, startTime, endTime }) => ({
  name: relative('.', name),
  seconds: (endTime - startTime) / 1000,
}))
timed.sort((a, b) => b.seconds - a.seconds)
const { GRINPAY_TEST_SECONDS: secondsFile } = process.env
if (secondsFile) {
  const measured = timed.map(({ name, seconds }) => [name, Math.round(seconds)]).filter(([, seconds]) => seconds > 0)
  writeFileSync(secondsFile, `${JSON.stringify(Object.fromEntries(measured), null, 2)}\n`)
}
if (timed.length > 0) console.log(`\nThe ${SLOWEST} slowest of ${timed.length} files, in seconds without loading:`)
for (const { name, seconds } of timed.slice(0, SLOWEST)) console.log(`${seconds.toFixed(1).padStart(7)}  ${name}`)
console.log()

// Last, where a log that keeps only its end still shows them.
for (const { name, assertionResults, message } of files) {
  const failures = assertionResults.filter(({ status }) => status === 'failed')
  if (failures.length === 0 && message) console.log(`failed: ${relative('.', name)}\n  ${firstLines(message)}`)
  for (const { fullName, failureMessages } of failures)
    console.log(`failed: ${relative('.', name)} > ${fullName}\n  ${firstLines(failureMessages.join('\n'))}`)
}

for (const [name, exit] of checks) {
  if (exit === 0) sum.passed += 1
  else {
    sum.failed += 1
    console.log(`${name} failed`)
  }
}
console.log(`${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''}`)
process.exitCode = sum.failed === 0 ? 0 : 1
