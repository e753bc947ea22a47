import type { Plan } from './steps.js'

/** The plan for people: one line per step, no contents. */
export function planText({ steps, untouched, needs }: Plan): string {
  const lines = steps.flatMap((step) => {
    if (step.kind === 'directory') return []
    if (step.kind === 'remove') return [`  remove   ${step.path}  ${step.about}`]
    return [
      `  ${(step.kind === 'create' ? 'create' : 'write').padEnd(8)} ${step.path}  ${step.mode.toString(8).padStart(4, '0')}  ${step.about}`,
    ]
  })
  const folders = steps.flatMap((step) =>
    step.kind === 'directory' ? [`  folder   ${step.path}  ${step.mode.toString(8).padStart(4, '0')}`] : [],
  )
  const kept = untouched.map((what) => `  keep     ${what}`)
  return ['Plan:', ...folders, ...lines, ...kept, ...needs.map((what) => `  needs    ${what}`)].join('\n')
}
