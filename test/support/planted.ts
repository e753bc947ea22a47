// Faults that were planted, what the doctor makes of them, and the table of test/doctor/findings.md that shows both.
import { expect, test } from 'vitest'
import type { CheckFinding } from '../../src/doctor/index.js'
import { expectSection } from './page-section.js'

/** One line of the doctor's answer. */
const lineOf = ({ level, check, about, detail }: CheckFinding): string =>
  `${level} ${check}${about === undefined ? '' : ` ${about}`}: ${detail}`

/** Exactly these are not well, in any order, and each says what to do; whatever else was looked at passes. */
export function expectFound(findings: readonly CheckFinding[], expected: readonly RegExp[]): void {
  const wrong = findings.filter(({ level }) => level !== 'pass')
  const lines = wrong.map(lineOf)
  for (const form of expected) expect(lines.join('\n')).toMatch(new RegExp(form.source, 'm'))
  expect(lines.filter((line) => !expected.some((form) => form.test(line)))).toEqual([])
  for (const { remedy = '' } of wrong) expect(remedy).not.toBe('')
}

export interface TableRow {
  readonly fault: string
  readonly findings: readonly CheckFinding[]
}

/**
 * The table of one daemon in test/doctor/findings.md is what these rows say. With GRINPAY_WRITE_DOCS=1 it is written instead.
 * `places`: what differs from run to run, and what stands for it.
 */
export function expectTable(
  daemon: string,
  rows: readonly TableRow[],
  places: readonly (readonly [string, string])[] = [],
) {
  const lines = rows.flatMap(({ fault, findings }) =>
    findings
      .filter(({ level }) => level !== 'pass')
      .map(({ level, check, about, detail, remedy = '' }) => {
        const line = `${check}${about === undefined ? '' : ` ${about}`}: ${detail}`
        return `| ${[fault, level, line, remedy].map((text) => cell(text, places)).join(' | ')} |`
      }),
  )
  const table = ['| Planted | Verdict | Line | Remedy |', '|---|---|---|---|', ...lines].join('\n')
  expectSection('test/doctor/findings.md', daemon, table)
}

export type PlantedRow<Fault> = readonly [
  fault: string,
  plant: Fault | (() => Promise<Fault>),
  expected: readonly RegExp[],
]

/**
 * The tests of one daemon: a healthy one passes more than `least` checks; each fault of `planted` is found, and nothing else; the table shows
 * them. `diagnose` plants a fault and examines the daemon.
 */
export function describePlanted<Fault extends object>(
  daemon: { readonly is: string; readonly table: string; readonly least: number },
  planted: readonly PlantedRow<Fault>[],
  diagnose: (plant: Partial<Fault>) => Promise<readonly CheckFinding[]>,
  places: () => readonly (readonly [string, string])[],
): void {
  const rows: TableRow[] = []

  test(`${daemon.is} that is well passes everything`, async () => {
    const findings = await diagnose({})
    expectFound(findings, [])
    expect(findings.length).toBeGreaterThan(daemon.least)
  })

  test.each(planted)('%s is found, and nothing else', async (fault, plant, expected) => {
    const findings = await diagnose(typeof plant === 'function' ? await plant() : plant)
    rows.push({ fault, findings })
    expectFound(findings, expected)
  })

  test('the page of the doctor has the table of these faults', () => {
    expect(rows.length).toBe(planted.length)
    expectTable(daemon.table, rows, places())
  })
}

const cell = (text: string, places: readonly (readonly [string, string])[]): string =>
  places
    .reduce((shown, [here, shownAs]) => shown.replaceAll(here, shownAs), text)
    .replace(/(127\.0\.0\.1|localhost):\d+/g, '$1:PORT')
    .replace(/\b\d+ ms\b/g, 'N ms')
    .replace(/since \d{4}-[\dT:Z-]+/g, 'since …')
    .replace(/this version needs \d+/g, 'this version needs N')
    .replaceAll('|', '\\|')
