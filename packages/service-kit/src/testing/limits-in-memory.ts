import type { LimitValues } from '@heddle/core-api/internal'
import { noLimits } from '../limits/project-limiter.ts'
import type { ProjectLimitsStore } from '../limits/project-limits-store.ts'

export interface LimitsInMemory extends ProjectLimitsStore {
  /** How often limits were read. */
  readonly reads: number
  /** What `deleteBytesBefore` was called with. */
  readonly deletedBefore: readonly number[]
  /** Whether bytes can be added. */
  isFull: boolean
}

/** A store of limits without a database. */
export function limitsInMemory(limits: Record<string, Partial<LimitValues>> = {}): LimitsInMemory {
  const byProject = new Map(Object.entries(limits).map(([id, values]) => [id, { ...noLimits, ...values }]))
  const bytes = new Map<string, number>()
  const requests = new Map<string, number>()
  const deletedBefore: number[] = []
  let reads = 0
  const store: LimitsInMemory = {
    deletedBefore,
    isFull: false,
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
    readBytes: async (projectId, day) => bytes.get(`${day} ${projectId}`) ?? 0,
    async addBytes(added) {
      if (store.isFull) throw new Error('the disk is full')
      return added.map((counted) => {
        const key = `${counted.day} ${counted.projectId}`
        const sum = (bytes.get(key) ?? 0) + counted.bytes
        bytes.set(key, sum)
        return { ...counted, bytes: sum }
      })
    },
    async addRequests(added) {
      if (store.isFull) throw new Error('the disk is full')
      return added.map((counted) => {
        const key = `${counted.rate} ${counted.subject}`
        const sum = (requests.get(key) ?? 0) + counted.requests
        requests.set(key, sum)
        return { ...counted, requests: sum }
      })
    },
    deleteRequestsBefore: async () => undefined,
    deleteBytesBefore: async (day) => void deletedBefore.push(day),
  }
  return store
}
