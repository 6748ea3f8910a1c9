// An entry of its own: who only asks how much memory there is loads no database.
export { defaultEngineMemory } from './analytical/engine/engine-memory.ts'
export { type MemoryLimit, readMemoryLimit } from './memory-limit.ts'
