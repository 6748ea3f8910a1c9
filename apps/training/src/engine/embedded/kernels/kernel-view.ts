import { type Address, instantiateKernels, type Kernels, type KernelSet } from './kernels.ts'
import { type NativeChoice, openNative } from './native/native-choice.ts'
import { withNativeProducts } from './native/native-products.ts'

/** The kernels with their memory, for a thread that allocates nothing itself. */
export interface KernelView {
  readonly kernels: Kernels
  floats(address: Address, length: number): Float32Array
  integers(address: Address, length: number): Int32Array
}

/** What a thread needs to create its own view. Plain data, so that it can be sent to other threads. */
export interface KernelShare {
  memory: WebAssembly.Memory
  set: KernelSet
  /** The library that computes large products, with scratch for this thread; null without one. */
  native: { choice: NativeChoice; scratch: Address } | null
}

/** @throws NativeLibraryError */
export function createKernelView({ memory, set, native }: KernelShare): KernelView {
  const kernels = instantiateKernels(memory, set)
  const floats = (address: Address, length: number) => new Float32Array(memory.buffer, address, length)
  return {
    kernels: native ? withNativeProducts(openNative(native.choice), { kernels, set, floats, scratch: native.scratch }) : kernels,
    floats,
    integers: (address, length) => new Int32Array(memory.buffer, address, length),
  }
}
