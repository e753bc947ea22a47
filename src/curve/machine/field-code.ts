// Arithmetic modulo p = 2^256 - 2^32 - 977 as straight-line WebAssembly: a product takes a seventh of the time with BigInt.
//
// A number is nine limbs of 29 bits, lowest first, each a signed 32-bit word. A product leaves limbs 0 … 7 in [0, 2^29]
// and limb 8 near [0, 2^24]; sums and differences are taken limb by limb and left as they are. Since limbs are signed
// and columns have 64 bits, one factor may be the sum of three products (or a difference) while the other is a product:
// nine times 3 * 2^29 * 2^29 stays below 2^63. Callers keep to that.
import { op, type Routine } from './assembler.js'

export const LIMBS = 9
export const LIMB_BITS = 29
/** Bytes of a number, and of a point: x, then y. */
export const NUMBER_BYTES = 4 * LIMBS
export const POINT_BYTES = 2 * NUMBER_BYTES

/** Bits of limb 8 below 2^256. */
const TOP_BITS = 256 - 8 * LIMB_BITS

// 2^261 = 2^5 * (2^32 + 977) modulo p: what a limb nine places up counts as, here and one place further.
const FOLD_HERE = 977n << 5n
const FOLD_NEXT = 1n << 8n

const indexes = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
const each = (count: number, code: (i: number) => number[]): number[] => indexes(count).flatMap(code)

/** Pushes limb `i` of the number whose address is in parameter `p`. */
const limb = (p: number, i: number): number[] => [...op.get(p), ...op.load(4 * i)]
const keep = (p: number, i: number, value: readonly number[]): number[] => [...op.get(p), ...value, ...op.store(4 * i)]
const plus = (value: readonly number[]): number[] => [...value, ...op.add]
const times = (value: readonly number[], factor: bigint): number[] => [...value, ...op.constant(factor), ...op.multiply]
/** out = a ± b, limb by limb; parameters out, a, b. */
const limbwise = (name: string, operation: readonly number[]): Routine => ({
  name,
  parameters: 3,
  locals: 0,
  code: each(LIMBS, (i) => keep(0, i, [...limb(1, i), ...limb(2, i), ...operation])),
})

/** Where a product keeps its locals, behind its parameters: both factors, columns 0 … 17 of the long multiplication, the carry. */
const frameBehind = (parameters: number) => ({
  a: (i: number): number => parameters + i,
  b: (i: number): number => parameters + LIMBS + i,
  column: (k: number): number => parameters + 2 * LIMBS + k,
  carry: parameters + 4 * LIMBS,
  locals: 4 * LIMBS + 1,
})
type Frame = ReturnType<typeof frameBehind>

/** Pushes carry + sum of a_i * b_(k-i). */
const columnSum = ({ a, b, carry }: Frame, k: number): number[] => [
  ...op.get(carry),
  ...indexes(LIMBS)
    .filter((i) => k - i >= 0 && k - i < LIMBS)
    .flatMap((i) => plus([...op.get(a(i)), ...op.get(b(k - i)), ...op.multiply])),
]

/** Splits the sum on the stack: its low bits become column k, the rest the carry. */
const split = ({ column, carry }: Frame, k: number, bits = LIMB_BITS): number[] => [
  ...op.tee(carry),
  ...op.constant((1n << BigInt(bits)) - 1n),
  ...op.and,
  ...op.set(column(k)),
  ...op.get(carry),
  ...op.constant(BigInt(bits)),
  ...op.shiftRight,
  ...op.set(carry),
]

/** Columns 9 … 17, the last of them a signed rest. Leaves no carry. */
const highColumns = (frame: Frame): number[] => [
  ...each(8, (i) => [...columnSum(frame, 9 + i), ...split(frame, 9 + i)]),
  ...[...op.get(frame.carry), ...op.set(frame.column(17)), ...op.constant(0n), ...op.set(frame.carry)],
]

/** Column k of the product plus what columns nine and eight places up fold down to. */
const lowColumn = (frame: Frame, k: number): number[] => [
  ...columnSum(frame, k),
  ...plus(times(op.get(frame.column(k + 9)), FOLD_HERE)),
  ...(k > 0 ? plus(times(op.get(frame.column(k + 8)), FOLD_NEXT)) : []),
]

/** Brings back what exceeds 2^256, which counts 2^32 + 977. It has 44 bits, so three limbs see a carry. */
const foldTop = (frame: Frame): number[] => {
  const { column, carry } = frame
  const withCarry = (k: number): number[] => [...op.get(column(k)), ...plus(op.get(carry))]
  return [
    // Column 17 folded one place past the top weighs 2^261 = 2^5 * 2^256.
    ...[...times(op.get(column(17)), FOLD_NEXT << 5n), ...plus(op.get(carry)), ...op.set(carry)],
    ...[...op.get(column(1)), ...plus(times(op.get(carry), 1n << 3n)), ...op.set(column(1))],
    ...[...times(op.get(carry), 977n), ...op.set(carry)],
    ...each(3, (k) => [...withCarry(k), ...split(frame, k)]),
    ...[...withCarry(3), ...op.set(column(3))],
  ]
}

/** out = a * b, or a * b - c; parameters out, a, b and c. `out` may be one of the others. */
function product(name: string, parameters: 3 | 4): Routine {
  const frame = frameBehind(parameters)
  const subtrahend = (k: number): number[] => (parameters === 4 ? [...limb(3, k), ...op.subtract] : [])
  const code = [
    ...each(LIMBS, (i) => [...limb(1, i), ...op.set(frame.a(i)), ...limb(2, i), ...op.set(frame.b(i))]),
    ...highColumns(frame),
    ...each(LIMBS, (k) => [
      ...lowColumn(frame, k),
      ...subtrahend(k),
      ...split(frame, k, k === LIMBS - 1 ? TOP_BITS : LIMB_BITS),
    ]),
    ...foldTop(frame),
    ...each(LIMBS, (i) => keep(0, i, op.get(frame.column(i)))),
  ]
  return { name, parameters, locals: frame.locals, code }
}

const [ADD, SUBTRACT, , MULTIPLY_SUBTRACT] = [0, 1, 2, 3]

/**
 * out = a + b for affine points, given the slope of the line through them; with b = a and the slope of the tangent it
 * doubles. Parameters out, a, b, slope; `out` may be `a` or `b`. Uses three numbers of scratch space at `scratch`.
 */
function chord(scratch: number): Routine {
  const [difference = [], sum = [], x = []] = indexes(3).map((i) => op.address(scratch + i * NUMBER_BYTES))
  const [out, a, b, slope] = [op.get(0), op.get(1), op.get(2), op.get(3)]
  const y = (point: readonly number[]): number[] => [...point, ...op.address(NUMBER_BYTES), ...op.addAddress]
  const run = (routine: number, ...operands: (readonly number[])[]): number[] => [
    ...operands.flat(),
    ...op.call(routine),
  ]
  return {
    name: 'chord',
    parameters: 4,
    locals: 0,
    code: [
      ...run(ADD, sum, a, b),
      ...run(MULTIPLY_SUBTRACT, x, slope, slope, sum),
      ...run(SUBTRACT, difference, a, x),
      ...run(MULTIPLY_SUBTRACT, y(out), slope, difference, y(a)),
      ...each(LIMBS, (i) => [...out, ...x, ...op.load(4 * i), ...op.store(4 * i)]),
    ],
  }
}

/** out = the point with this x and y, or its negative; parameters out, x, y. */
const join = (name: string, sign: 1 | -1): Routine => ({
  name,
  parameters: 3,
  locals: 0,
  code: each(LIMBS, (i) => [
    ...keep(0, i, limb(1, i)),
    ...keep(0, LIMBS + i, sign === 1 ? limb(2, i) : [...op.constant(0n), ...limb(2, i), ...op.subtract]),
  ]),
})

/** Bytes of scratch space that `fieldRoutines` needs. */
export const SCRATCH_BYTES = 3 * NUMBER_BYTES

/** All routines, in the order their indexes count. */
export const fieldRoutines = (scratch: number): Routine[] => [
  limbwise('add', op.add),
  limbwise('subtract', op.subtract),
  product('multiply', 3),
  product('multiplySubtract', 4),
  chord(scratch),
  join('join', 1),
  join('joinNegated', -1),
]
