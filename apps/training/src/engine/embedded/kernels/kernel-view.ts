import { type Address, instantiateKernels, type Kernels, type KernelSet } from './kernels.ts'

/** The kernels with their memory, for a thread that allocates nothing itself. */
export interface KernelView {
  readonly kernels: Kernels
  floats(address: Address, length: number): Float32Array
  integers(address: Address, length: number): Int32Array
}

export function createKernelView(memory: WebAssembly.Memory, set: KernelSet): KernelView {
  return {
    kernels: instantiateKernels(memory, set),
    floats: (address, length) => new Float32Array(memory.buffer, address, length),
    integers: (address, length) => new Int32Array(memory.buffer, address, length),
  }
}
