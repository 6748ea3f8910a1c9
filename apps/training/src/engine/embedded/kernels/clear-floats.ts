import { blocksOfFloats } from '../blocks.ts'
import type { KernelMemory } from './kernel-memory.ts'
import type { Address } from './kernels.ts'
import type { Work } from '../work.ts'

/** Writes zeros. Yields after each block. */
export function* clearFloats(memory: KernelMemory, address: Address, length: number): Work<void> {
  for (const { first, count } of blocksOfFloats(length)) {
    memory.floats(address + first * 4, count).fill(0)
    yield
  }
}
