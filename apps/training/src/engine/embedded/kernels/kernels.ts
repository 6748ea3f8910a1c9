import { plainKernels, relaxedKernels } from './kernels-wasm.ts'

/** Offset of numbers in the kernels' memory, in bytes. */
export type Address = number

/** The functions of apps/training/kernels, where each is described. Strides are in floats. */
export interface Kernels {
  matmul(
    ...args: [
      ...[a: Address, aRow: number, aColumn: number],
      ...[b: Address, bRow: number, bPanel: number],
      ...[c: Address, cRow: number, cPanel: number],
      ...[rows: number, columns: number, inner: number, accumulate: 0 | 1],
    ]
  ): void
  multiplyBfloat16(
    ...args: [
      ...[x: Address, rows: number, panels: Address, inner: number, columns: number],
      ...[y: Address, yRow: number, accumulate: 0 | 1],
    ]
  ): void
  multiplyTransposedBfloat16(
    ...args: [
      ...[dy: Address, rows: number, panels: Address, inner: number, columns: number, dx: Address],
      ...[first: number, taken: number, accumulate: 0 | 1, part: number, scratch: Address],
    ]
  ): void
  copyTile(
    ...args: [
      ...[source: Address, isBfloat16: 0 | 1, sourceRow: number, sourcePanel: number],
      ...[target: Address, targetRow: number, targetPanel: number, rows: number, columns: number],
    ]
  ): void
  gatherBfloat16Columns(panels: Address, inner: number, tokens: Address, count: number, out: Address): void
  pack(source: Address, row: number, inner: number, columns: number, target: Address): void
  transpose(source: Address, sourceRow: number, target: Address, targetRow: number, rows: number, columns: number): void
  transposePanels(source: Address, inner: number, columns: number, target: Address, first: number, count: number): void

  add(x: Address, y: Address, length: number): void
  addToRows(vector: Address, x: Address, rows: number, width: number): void
  addRowsTo(vector: Address, x: Address, rows: number, width: number): void
  copy(source: Address, length: number, target: Address): void
  scale(x: Address, length: number, factor: number): void
  scaleRows(x: Address, rows: number, width: number, factors: Address): void
  addSquares(x: Address, length: number, sums: Address): void
  swiglu(gate: Address, up: Address, out: Address, length: number): void
  swigluBackward(gate: Address, up: Address, dOut: Address, dGate: Address, dUp: Address, length: number): void
  rmsNorm(x: Address, weight: Address, out: Address, inverse: Address, rows: number, width: number, epsilon: number): void
  rmsNormBackward(
    ...args: [x: Address, weight: Address, inverse: Address, dOut: Address, dx: Address, dWeight: Address, rows: number, width: number]
  ): void
  rotate(
    ...args: [
      ...[x: Address, rowLength: number, rows: number, heads: number, headWidth: number],
      ...[cosines: Address, sines: Address, position: number, sign: 1 | -1],
    ]
  ): void
  gatherColumns(panels: Address, inner: number, tokens: Address, count: number, out: Address): void
  addToColumns(panels: Address, inner: number, tokens: Address, count: number, x: Address): void
  gatherRows(x: Address, width: number, indices: Address, count: number, out: Address): void
  scatterRows(x: Address, width: number, indices: Address, count: number, out: Address): void

  attentionScratch(length: number, headWidth: number): number
  attentionSteps(length: number): number
  attention(
    ...args: [
      ...[queries: Address, keys: Address, values: Address, out: Address, logSums: Address],
      ...[length: number, heads: number, groups: number, headWidth: number, factor: number, scratch: Address],
      ...[first: number, count: number],
    ]
  ): void
  attentionBackward(
    ...args: [
      ...[queries: Address, keys: Address, values: Address, logSums: Address, dOut: Address],
      ...[dQueries: Address, dKeys: Address, dValues: Address],
      ...[length: number, heads: number, groups: number, headWidth: number, factor: number, scratch: Address],
      ...[first: number, count: number],
    ]
  ): void
  attentionOfRows(
    ...args: [
      ...[queries: Address, keys: Address, values: Address, out: Address, rows: number, position: number, capacity: number],
      ...[heads: number, groups: number, headWidth: number, factor: number, most: number, scratch: Address],
    ]
  ): void
  addKeys(
    ...args: [from: Address, rows: number, position: number, capacity: number, groups: number, headWidth: number, keys: Address]
  ): void

  logProbabilities(
    ...args: [
      ...[logits: Address, stride: number, vocabulary: number, targets: Address],
      ...[rows: number, logProbability: Address, entropy: Address],
    ]
  ): void
  logProbabilitiesBackward(probabilities: Address, stride: number, targets: Address, coefficients: Address, rows: number): void
  adamW(
    ...args: [
      ...[weights: Address, gradients: Address, first: Address, second: Address, length: number],
      ...[learningRate: number, beta1: number, beta2: number, epsilon: number, weightDecay: number],
      ...[correction1: number, correction2: number, gradientFactor: number],
    ]
  ): void
}

/** `relaxed` fuses products and sums, which is faster and rounds differently. */
export type KernelSet = 'plain' | 'relaxed'

/** The faster set, if this JavaScript engine supports it. */
export function findKernelSet(): KernelSet {
  return WebAssembly.validate(Buffer.from(relaxedKernels, 'base64')) ? 'relaxed' : 'plain'
}

/** The kernels on a shared memory; several threads may each instantiate them on one. */
export function instantiateKernels(memory: WebAssembly.Memory, set: KernelSet): Kernels {
  const module = new WebAssembly.Module(Buffer.from(set === 'relaxed' ? relaxedKernels : plainKernels, 'base64'))
  const abort = () => {
    throw new Error('a kernel ended early')
  }
  return new WebAssembly.Instance(module, { env: { memory, abort } }).exports as unknown as Kernels
}
