import type { MemoryLimit } from '@heddle/datastore/memory'
import { type MemorySettings, planMemory } from '../process/memory-plan.ts'
import { formatBytes } from '../terminal/measures.ts'
import { type Finding, ok, warning } from './finding.ts'

const name = 'Memory'

/** What the server may use, who limits it, and how it is divided; a warning where the parts together are more. */
export function checkMemory(limit: MemoryLimit, settings: MemorySettings): Finding {
  const { engineBytes, heapBytes, modelsBytes } = planMemory(limit, settings)
  const source =
    limit.cgroup === undefined ? 'of the machine' : `by control group ${limit.cgroup}, of ${formatBytes(limit.machineBytes)} of the machine`
  const parts = [
    ...(engineBytes > 0 ? [`engine ${formatBytes(engineBytes)}`] : []),
    `JavaScript objects ${formatBytes(heapBytes)}`,
    ...(modelsBytes > 0 ? [`models ${formatBytes(modelsBytes)}`] : []),
  ]
  const detail = `${formatBytes(limit.bytes)} ${source}: ${parts.join(', ')}`
  if (engineBytes + heapBytes + modelsBytes <= limit.bytes) return ok(name, detail)
  return warning(
    name,
    `${detail}, which is more together`,
    'raise the limit, or lower HEDDLE_TRAINING_MEMORY_BYTES, HEDDLE_ENGINE_MEMORY_BYTES or HEDDLE_HEAP_MEMORY_BYTES: the system ends a process that goes beyond',
  )
}
