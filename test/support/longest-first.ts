// In which order the files of tests start: those of whole programs before the many short ones of `unit`, each the longest first, so that no worker
// is idle while another one ends. The seconds are those of test/seconds.json.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Measured by scripts/test-summary.mjs; what is not in it and no unit is taken for one of these. */
const UNKNOWN_SECONDS = 15
const SECONDS: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(new URL('../seconds.json', import.meta.url), 'utf8'),
)

export class LongestFirst extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config
    const isUnit = ({ project }: TestSpecification) => Number(project.name === 'unit')
    const seconds = ({ moduleId }: TestSpecification) =>
      SECONDS[relative(root, moduleId).replaceAll('\\', '/')] ?? UNKNOWN_SECONDS
    const sorted = await super.sort(specs)
    return sorted.sort((one, other) => isUnit(one) - isUnit(other) || seconds(other) - seconds(one))
  }
}
