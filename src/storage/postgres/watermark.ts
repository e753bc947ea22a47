// The last changes that the database acknowledged to this process. A database that does not know them has gone back: after the promotion of a
// node that had not received everything, or a restore. Kept in `watermark.json` as well, for the next start.
import { z } from 'zod'
import { type Document, openDocument, type ReplaceFile } from '../documents.js'

/** Commits end in about the order of the log, so those that were lost are among the last ones. */
const MOST_MARKS = 32
/** Rows of `written` live longer (upkeep.ts), whatever the clocks say. */
const MOST_AGE_MS = 20 * 24 * 60 * 60 * 1000
const SAVE_EVERY_MS = 1000

const STATE = z.strictObject({
  wentBack: z.boolean(),
  marks: z.array(z.strictObject({ id: z.uuid(), at: z.int() })).max(MOST_MARKS),
  nextKeyIndex: z.int().optional(),
})
type State = z.infer<typeof STATE>
const INITIAL: State = { wentBack: false, marks: [] }

export interface Watermark {
  /** A change with this id in `written` was acknowledged. */
  acknowledged(id: string): void
  /** A till's counter of keys was acknowledged to stand here or higher. */
  keysAcknowledged(nextKeyIndex: number): void
  /** Where it must stand at least. */
  readonly leastKeyIndex: number
  /** Those that the database must know. */
  expected(): readonly string[]
  /** The database did not know them: it is not used any more, also after a restart. */
  readonly hasGoneBack: boolean
  /** `missing`: how many of those expected it did not know. Resolves when the next start knows it, too. */
  goneBack(missing: number): Promise<void>
  /** Resolves with that number when it happens. */
  readonly lost: Promise<number>
  /** Writes what is not in the file yet. */
  close(): Promise<void>
}

export interface WatermarkParts {
  /** Undefined: only in memory, for commands. */
  readonly file?: { readonly path: string; readonly replace: ReplaceFile } | undefined
  readonly now: () => number
}

/** Throws DOCUMENT_DAMAGED. */
export async function openWatermark({ file, now }: WatermarkParts): Promise<Watermark> {
  const document = file && (await openState(file))
  let state = document?.read() ?? INITIAL
  let timer: NodeJS.Timeout | undefined
  let saving: Promise<unknown> | undefined
  let tell = (_missing: number): void => undefined
  const lost = new Promise<number>((resolve) => {
    tell = resolve
  })

  async function save(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const mine = document?.update(() => state)
    saving = mine?.catch(() => undefined)
    await mine
  }

  function note(change: Partial<State>): void {
    state = { ...state, ...change }
    // A full disk must not end the process: the marks are in memory, and the next change tries again.
    if (document) timer ??= setTimeout(() => void save().catch(() => undefined), SAVE_EVERY_MS).unref()
  }

  return {
    acknowledged: (id) => note({ marks: [...state.marks, { id, at: now() }].slice(-MOST_MARKS) }),
    keysAcknowledged(nextKeyIndex) {
      if (nextKeyIndex > (state.nextKeyIndex ?? 0)) note({ nextKeyIndex })
    },
    get leastKeyIndex() {
      return state.nextKeyIndex ?? 0
    },
    expected: () => state.marks.filter(({ at }) => Math.abs(now() - at) < MOST_AGE_MS).map(({ id }) => id),
    get hasGoneBack() {
      return state.wentBack
    },
    lost,
    async goneBack(missing) {
      state = { ...state, wentBack: true }
      // First the file: the caller ends the process on the answer. A full disk changes nothing about that.
      await save().catch(() => undefined)
      tell(missing)
    },
    async close() {
      if (timer !== undefined) await save()
      // Also for one that is under way.
      await saving
    },
  }
}

export interface Forgetting {
  /** Also when no loss was reported. */
  readonly always?: boolean
  /** Done before, so that no process starts without it. */
  readonly before?: () => Promise<unknown>
}

/** Accepts the database as it is: its process starts again. The marks that it did not know are forgotten. */
export async function forgetWatermark(
  file: NonNullable<WatermarkParts['file']>,
  { always = false, before = async () => undefined }: Forgetting = {},
): Promise<'forgotten' | 'nothing'> {
  const document = await openState(file)
  if (!document.read().wentBack && !always) return 'nothing'
  await before()
  await document.update(() => INITIAL)
  return 'forgotten'
}

const openState = (file: NonNullable<WatermarkParts['file']>): Promise<Document<State>> =>
  openDocument({ path: file.path, schema: STATE, initial: INITIAL, replace: file.replace })
