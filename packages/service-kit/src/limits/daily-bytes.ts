import type { BytesOfDay, ProjectLimitsStore } from './project-limits-store.ts'
import { createProjectLru } from './project-lru.ts'

const dayMs = 86_400_000
const saveEveryMs = 1_000
const keptDays = 7

export interface DailyBytesOptions {
  store: Pick<ProjectLimitsStore, 'readBytes' | 'addBytes' | 'deleteBytesBefore'>
  sharesStore: boolean
  /** Milliseconds of a monotonic clock. */
  nowMs: () => number
  /** Milliseconds since 1970. */
  wallClockMs: () => number
  /** Called when counts could not be stored; they are stored later. */
  onError: (error: unknown) => void
}

/**
 * Counts the bytes sent to projects per day, in UTC. Counts are stored once a second, and when this is closed; a crash loses the count of one second.
 */
export interface DailyBytes {
  /** Reads the stored count of today, unless it is known. */
  load(projectId: string): void | Promise<void>
  /** Bytes of today: those accepted, and those that requests under way have reserved. Undefined until they were loaded. */
  usedOf(projectId: string): number | undefined
  reserve(projectId: string, bytes: number): void
  /** Ends a reservation: its bytes were accepted, or were not. */
  settle(projectId: string, bytes: number, isAccepted: boolean): void
  /** Until the next day begins. */
  secondsLeft(): number
  /** Stores the counts. */
  close(): Promise<void>
}

export function createDailyBytes({ store, sharesStore, nowMs, wallClockMs, onError }: DailyBytesOptions): DailyBytes {
  /** As it was stored, by day and project. */
  const stored = createProjectLru<number>({ sharesStore, nowMs })
  const unsaved = new Map<string, BytesOfDay>()
  /** Bytes that the running statement adds. */
  let saving = new Map<string, BytesOfDay>()
  const reserved = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let saved: Promise<void> = Promise.resolve()
  let saves = 0
  let cleanedDay = 0

  const today = () => Math.floor(wallClockMs() / dayMs)
  const keyOf = (projectId: string, day: number) => `${day} ${projectId}`

  async function readStored(projectId: string): Promise<void> {
    const [day, savesBefore] = [today(), saves]
    const bytes = await store.readBytes(projectId, day)
    // This server added to the count during the read, so the value read may be outdated.
    if (saves !== savesBefore && !stored.has(keyOf(projectId, day))) return readStored(projectId)
    if (saves === savesBefore) stored.set(keyOf(projectId, day), bytes)
  }

  function add(counted: Map<string, BytesOfDay>, { projectId, day, bytes }: BytesOfDay): void {
    const key = keyOf(projectId, day)
    counted.set(key, { projectId, day, bytes: bytes + (counted.get(key)?.bytes ?? 0) })
  }

  async function save(): Promise<void> {
    if (unsaved.size === 0) return
    saving = new Map(unsaved)
    unsaved.clear()
    // In one order on all servers, so that none waits for another that waits for it.
    const added = [...saving.values()].toSorted((a, b) => (a.projectId < b.projectId ? -1 : 1))
    try {
      const totals = await store.addBytes(added)
      for (const { projectId, day, bytes } of totals) stored.set(keyOf(projectId, day), bytes)
    } catch (error) {
      for (const counted of added) add(unsaved, counted)
      onError(error)
    }
    saving = new Map()
    saves++
    await forgetOldDays().catch(onError)
  }

  /** One save after the other. */
  function saveNext(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    return (saved = saved.then(save).then(() => {
      if (unsaved.size > 0) saveSoon()
    }))
  }

  function saveSoon(): void {
    timer ??= setTimeout(() => void saveNext(), saveEveryMs).unref()
  }

  async function forgetOldDays(): Promise<void> {
    const day = today()
    if (day === cleanedDay) return
    await store.deleteBytesBefore(day - keptDays)
    cleanedDay = day
  }

  return {
    load: (projectId) => (stored.has(keyOf(projectId, today())) ? undefined : readStored(projectId)),
    usedOf(projectId) {
      const key = keyOf(projectId, today())
      const known = stored.get(key)
      if (known === undefined) return undefined
      return known + (unsaved.get(key)?.bytes ?? 0) + (saving.get(key)?.bytes ?? 0) + (reserved.get(projectId) ?? 0)
    },
    reserve: (projectId, bytes) => void reserved.set(projectId, (reserved.get(projectId) ?? 0) + bytes),
    settle(projectId, bytes, isAccepted) {
      const left = (reserved.get(projectId) ?? 0) - bytes
      if (left > 0) reserved.set(projectId, left)
      else reserved.delete(projectId)
      if (!isAccepted || bytes === 0) return
      add(unsaved, { projectId, day: today(), bytes })
      saveSoon()
    },
    secondsLeft: () => Math.ceil((dayMs - (wallClockMs() % dayMs)) / 1_000),
    async close() {
      await saveNext()
      clearTimeout(timer)
    },
  }
}
