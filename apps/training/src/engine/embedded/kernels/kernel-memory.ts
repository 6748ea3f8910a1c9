import { invariant } from '@heddle/datastore/invariant'
import { createKernelView, type KernelShare } from './kernel-view.ts'
import type { Address, Kernels, KernelSet } from './kernels.ts'
import type { NativeChoice } from './native/native-choice.ts'
import { scratchBytes } from './native/native-products.ts'

const pageBytes = 65_536
/** WebAssembly addresses 4 GiB. */
export const maxMemoryBytes = 65_536 * pageBytes - pageBytes
/** The kernels' own constants and stack are below. */
const firstAddress = 16 * pageBytes
const alignment = 64

/** Allocatable bytes of a kernel memory of `maxBytes`. */
export function usableBytes(maxBytes: number): number {
  return Math.min(Math.floor(maxBytes / alignment) * alignment, maxMemoryBytes - firstAddress)
}

/** Thrown when an allocation would exceed the limit of the memory. */
export class OutOfMemoryError extends Error {
  override readonly name = 'OutOfMemoryError'
  /** Whether it would not even fit into empty memory. */
  readonly isNever: boolean

  constructor(bytes: number, { freeBytes, maxBytes }: { freeBytes: number; maxBytes: number }) {
    super(`${bytes} bytes do not fit into the memory of models: ${freeBytes} of ${maxBytes} are free (HEDDLE_TRAINING_MEMORY_BYTES)`)
    this.isNever = bytes > maxBytes
  }
}

interface Hole {
  address: Address
  bytes: number
}

/** Shared memory of the kernels with its allocator. One thread allocates; the rest receive addresses. */
export class KernelMemory {
  readonly memory: WebAssembly.Memory
  /** Of this thread. */
  readonly kernels: Kernels
  readonly set: KernelSet
  /** The library that computes large products; null without one. */
  readonly native: NativeChoice | null
  readonly maxBytes: number
  /** Free ranges by address; no two of them touch. */
  private holes: Hole[]
  private readonly lengths = new Map<Address, number>()
  private allocated = 0

  /** @param maxBytes of all allocations together, at most `maxMemoryBytes` @throws NativeLibraryError */
  constructor(maxBytes: number, set: KernelSet, native: NativeChoice | null = null) {
    this.maxBytes = usableBytes(maxBytes)
    const maximum = Math.ceil((firstAddress + this.maxBytes) / pageBytes)
    // The module declares the most that it can address, and takes no memory that may grow further or is not shared.
    this.memory = new WebAssembly.Memory({ initial: Math.min(17, maximum), maximum: Math.min(maximum, 65_536), shared: true })
    this.set = set
    this.native = native
    this.holes = [{ address: firstAddress, bytes: this.maxBytes }]
    this.kernels = createKernelView(this.share()).kernels
  }

  /** What one more thread needs to compute on this memory. @throws OutOfMemoryError */
  share(): KernelShare {
    const { memory, set, native } = this
    return { memory, set, native: native && { choice: native, scratch: this.allocate(scratchBytes(native.guard)) } }
  }

  get usedBytes(): number {
    return this.allocated
  }

  /** What the process holds of the machine's memory for it. It never shrinks. */
  get heldBytes(): number {
    return this.memory.buffer.byteLength
  }

  get freeBytes(): number {
    return this.maxBytes - this.allocated
  }

  /** Bytes that an allocation of this many takes. */
  static sizeOf(bytes: number): number {
    return Math.max(alignment, Math.ceil(bytes / alignment) * alignment)
  }

  /** Whether one allocation of this many bytes would succeed. */
  fits(bytes: number): boolean {
    return this.holes.some((hole) => hole.bytes >= KernelMemory.sizeOf(bytes))
  }

  /** Zeroed memory, aligned to 64 bytes. @throws OutOfMemoryError */
  allocate(bytes: number): Address {
    const address = this.allocateDirty(bytes)
    new Uint8Array(this.memory.buffer, address, KernelMemory.sizeOf(bytes)).fill(0)
    return address
  }

  /** As `allocate`, but without clearing: for memory that is written before it is read. */
  allocateDirty(bytes: number): Address {
    const needed = KernelMemory.sizeOf(bytes)
    const hole = this.holes.find((candidate) => candidate.bytes >= needed)
    if (!hole) throw new OutOfMemoryError(needed, this)
    const { address } = hole
    this.growTo(address + needed)
    hole.address += needed
    hole.bytes -= needed
    if (hole.bytes === 0) this.holes.splice(this.holes.indexOf(hole), 1)
    this.lengths.set(address, needed)
    this.allocated += needed
    return address
  }

  free(address: Address): void {
    const bytes = this.lengths.get(address)
    invariant(bytes !== undefined, 'engine.frees-what-is-allocated', () => `nothing is allocated at ${address}`)
    this.lengths.delete(address)
    this.allocated -= bytes
    const after = this.holes.findIndex((hole) => hole.address > address)
    const isApart = this.holes.every((hole) => hole.address + hole.bytes <= address || address + bytes <= hole.address)
    invariant(isApart, 'engine.memory-does-not-overlap', () => `${bytes} bytes at ${address} are free already`)
    this.holes.splice(after < 0 ? this.holes.length : after, 0, { address, bytes })
    this.holes = joined(this.holes)
  }

  floats(address: Address, length: number): Float32Array {
    return new Float32Array(this.memory.buffer, address, length)
  }

  halves(address: Address, length: number): Uint16Array {
    return new Uint16Array(this.memory.buffer, address, length)
  }

  doubles(address: Address, length: number): Float64Array {
    return new Float64Array(this.memory.buffer, address, length)
  }

  integers(address: Address, length: number): Int32Array {
    return new Int32Array(this.memory.buffer, address, length)
  }

  private growTo(end: number): void {
    const missing = Math.ceil((end - this.memory.buffer.byteLength) / pageBytes)
    if (missing > 0) this.memory.grow(missing)
  }
}

function joined(holes: readonly Hole[]): Hole[] {
  const result: Hole[] = []
  for (const hole of holes) {
    const last = result.at(-1)
    if (last && last.address + last.bytes === hole.address) last.bytes += hole.bytes
    else result.push({ ...hole })
  }
  return result
}
