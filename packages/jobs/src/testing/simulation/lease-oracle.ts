import type { JobsStore } from '../../store/jobs-store.ts'
import type { ClaimedJob, Lease } from '../../store/lease.ts'
import { wrapStore } from '../wrap-store.ts'

/** Knows from outside the store which leases have ended, and finds writes under them that were accepted. */
export interface LeaseOracle {
  /** Starts of each job by number, without those that were released. */
  starts: ReadonlyMap<number, number>
  watch(store: JobsStore): JobsStore
}

export function createLeaseOracle(onBroken: (what: string) => void): LeaseOracle {
  const ended = new Set<string>()
  const starts = new Map<number, number>()
  const nameOf = ({ number, token }: Lease) => `${number}/${token}`

  function noteClaim(job: ClaimedJob): void {
    for (let token = 1; token < job.token; token++) ended.add(nameOf({ number: job.number, token }))
    starts.set(job.number, (starts.get(job.number) ?? 0) + 1)
  }

  /** A write that began after its lease had ended must not be done. */
  async function write<T>(lease: Lease, what: string, work: Promise<T>): Promise<T> {
    const isOver = ended.has(nameOf(lease))
    const answer = await work
    if (isOver && answer !== null && answer !== false) onBroken(`${what} of the lost lease ${nameOf(lease)} was accepted`)
    return answer
  }

  return {
    starts,
    watch: (store) => ({
      ...wrapStore(store, (call) => call()),
      queue: store.queue,
      enqueue: store.enqueue,
      cancel: store.cancel,
      find: store.find,
      list: store.list,
      count: store.count,
      countByKey: store.countByKey,
      countWaiting: store.countWaiting,
      totals: store.totals,
      sweep: store.sweep,
      listHeld: store.listHeld,
      async claim(claim) {
        const job = await store.claim(claim)
        if (job) noteClaim(job)
        return job
      },
      heartbeat: (lease, progress) => write(lease, 'a heartbeat', store.heartbeat(lease, progress)),
      saveState: (lease, state) => write(lease, 'a state', store.saveState(lease, state)),
      commit: (lease, work) => write(lease, 'a commit', store.commit(lease, work)),
      async settle(lease, outcome, at) {
        const isFirst = !ended.has(nameOf(lease))
        const isSettled = await store.settle(lease, outcome, at)
        ended.add(nameOf(lease))
        if (isFirst && isSettled && outcome.state === 'queued' && outcome.isRefunded)
          starts.set(lease.number, (starts.get(lease.number) ?? 1) - 1)
        return isSettled
      },
      async expire(last, outcome, at) {
        const isExpired = await store.expire(last, outcome, at)
        if (isExpired) ended.add(nameOf(last))
        return isExpired
      },
    }),
  }
}
