// Reports for the console's page. A page never waits for a long one: it shows how far the report is, and asks again until it is made.
import type { Till } from '../../api.js'
import { reportCsv } from '../../reports/fold.js'
import type { Report, ReportRequest } from '../../reports/model.js'

/** How long a page waits, in milliseconds. */
const PATIENCE_MS = 8
/** A report that took longer is kept for further requests: twenty times as long as it took, from five seconds to a minute. */
const KEPT_TIMES = 20
const KEPT_LEAST_MS = 5_000
const KEPT_MOST_MS = 60_000
/** More than that are forgotten, the oldest first. */
const MOST_JOBS = 16

interface Job {
  readonly report: Promise<Report>
  readonly progress: { payments: number }
  made?: { readonly report: Report; readonly at: number; readonly until: number }
}

/** `running`: ask the same again in a second; so many payments were read. */
export type ReportAnswer =
  | { readonly state: 'made'; readonly report: Report; readonly madeAt: number }
  | { readonly state: 'running'; readonly payments: number }

export type ReportJobs = ReturnType<typeof createReportJobs>

interface ReportParts {
  readonly till: Pick<Till, 'report'>
  readonly clock: { now(): number; monotonic(): number; sleep(ms: number): Promise<void> }
}

export function createReportJobs({ till, clock }: ReportParts) {
  const jobs = new Map<string, Job>()

  function start(key: string, question: ReportRequest): Job {
    const [began, at] = [clock.monotonic(), clock.now()]
    const progress = { payments: 0 }
    const report = till.report(question, {
      onProgress: (payments) => {
        progress.payments = payments
      },
    })
    const job: Job = { report, progress }
    jobs.set(key, job)
    report.then(
      (made) => {
        const took = clock.monotonic() - began
        const kept = Math.min(KEPT_MOST_MS, Math.max(KEPT_LEAST_MS, took * KEPT_TIMES))
        job.made = { report: made, at, until: clock.monotonic() + kept }
      },
      () => forget(key, job),
    )
    for (const [oldest] of jobs) if (jobs.size > MOST_JOBS) jobs.delete(oldest)
    return job
  }

  function forget(key: string, job: Job): void {
    if (jobs.get(key) === job) jobs.delete(key)
  }

  /** The one that runs or is kept, else a new one. */
  function jobOf(question: ReportRequest): { readonly key: string; readonly job: Job; readonly isNew: boolean } {
    const key = JSON.stringify([question.by, question.from, question.to, question.zone])
    const known = jobs.get(key)
    if (known && (known.made === undefined || known.made.until > clock.monotonic()))
      return { key, job: known, isNew: false }
    return { key, job: start(key, question), isNew: true }
  }

  return {
    /** Within a moment. Throws REPORT_… for what cannot be answered, REPORTS_BUSY. */
    async ask(question: ReportRequest): Promise<ReportAnswer> {
      const { key, job, isNew } = jobOf(question)
      if (job.made === undefined) await Promise.race([job.report, clock.sleep(PATIENCE_MS)])
      if (job.made === undefined) return { state: 'running', payments: job.progress.payments }
      // Made at once: the next one who asks gets the newest figures.
      if (isNew) forget(key, job)
      return { state: 'made', report: job.made.report, madeAt: job.made.at }
    },
    /** Waits until it is made. Throws the same. */
    async csv(question: ReportRequest) {
      const { key, job, isNew } = jobOf(question)
      const report = await job.report
      if (isNew) forget(key, job)
      return { from: report.from, to: report.to, text: reportCsv(report) }
    },
  }
}
