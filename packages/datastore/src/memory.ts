// A separate entry, so that reading the memory size loads no database.
export { defaultEngineMemory } from './analytical/engine/engine-memory.ts'
export { type MemoryLimit, readMemoryLimit } from './memory-limit.ts'
