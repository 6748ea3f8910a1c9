import type { LimitValues } from '@heddle/core-api/internal'
import { noLimits } from '../limits/project-limiter.ts'
import type { ProjectLimitsStore } from '../limits/project-limits-store.ts'

/** A store of limits without a database, which counts how often it is read. */
export function limitsInMemory(limits: Record<string, Partial<LimitValues>> = {}): ProjectLimitsStore & { readonly reads: number } {
  const byProject = new Map(Object.entries(limits).map(([id, values]) => [id, { ...noLimits, ...values }]))
  let reads = 0
  return {
    get reads() {
      return reads
    },
    async read(projectId) {
      reads++
      return byProject.get(projectId) ?? noLimits
    },
    async write({ id }, changes) {
      byProject.set(id, { ...(byProject.get(id) ?? noLimits), ...changes } as LimitValues)
    },
  }
}
