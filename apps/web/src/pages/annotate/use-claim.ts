import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'
import { client } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { itemQuery } from '../../features/queues/queue-queries.ts'
import { claimStateOf, type ClaimState, shouldRenew } from './claim-rules.ts'
import type { QueueItem } from '../../features/queues/queue-queries.ts'
import { releaseOnClose } from './release-on-close.ts'

interface Parts {
  queue: { id: string; reviewers_per_item: number; reservation_minutes: number }
  item: QueueItem
  username: string
}

export interface ItemClaim {
  state: ClaimState
  /** Why it could not be reserved. */
  problem: unknown
  /** To be called with each change that the user makes: claims the item where the user does not hold it. */
  work(): void
  /** Gives the item back where the user holds it. */
  release(): Promise<void>
}

/** Claims of this page, in milliseconds by the clock of the browser. */
interface OwnClaim {
  claimedAt: number
  heldSince: number
}

const tickMs = 5_000
const signs = ['keydown', 'pointerdown', 'wheel'] as const

/** Holds the item that is on screen while the user works on it, and releases it when the page is closed. */
export function useClaim({ queue, item, username }: Parts): ItemClaim {
  const { id: project_id } = useProject()
  const queries = useQueryClient()
  const { queryKey } = itemQuery(client, project_id, queue.id, item.id)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const [made, setMade] = useState<OwnClaim>()
  const [problem, setProblem] = useState<unknown>()
  const isAsking = useRef(false)
  const triedAt = useRef(-Infinity)
  const activeAt = useRef(0)
  /** An answer of the service from before the release may still arrive. */
  const isReleased = useRef(false)
  const leaseMs = queue.reservation_minutes * 60_000
  const place = { project_id, queue_id: queue.id, item_id: item.id }
  const stateAt = (now: number) =>
    claimStateOf({
      item,
      username,
      heldUntil: made && made.claimedAt + leaseMs,
      reviewersPerItem: queue.reviewers_per_item,
      now,
    })

  async function claim() {
    if (isAsking.current) return
    isAsking.current = true
    isReleased.current = false
    triedAt.current = Date.now()
    const isHeld = stateAt(triedAt.current).kind === 'held'
    try {
      // A response requested before the claim would hide it.
      await queries.cancelQueries({ queryKey })
      const claimed = await client.annotationQueues.claimItem({ ...place, lease_seconds: null })
      queries.setQueryData(queryKey, claimed.item)
      const now = Date.now()
      if (claimed.is_claimed) setMade((before) => ({ claimedAt: now, heldSince: isHeld && before ? before.heldSince : now }))
      setProblem(undefined)
    } catch (error) {
      setProblem(error)
    } finally {
      isAsking.current = false
    }
  }

  const tick = useEffectEvent(() => {
    const now = Date.now()
    const held = stateAt(now).kind === 'held' ? made : undefined
    const isVisible = document.visibilityState === 'visible'
    if (held && shouldRenew({ ...held, now, activeAt: activeAt.current, isVisible, leaseMs })) void claim()
    redraw()
  })
  const claimOwn = useEffectEvent(() => {
    if (!isReleased.current) void claim()
  })
  const releaseClosed = useEffectEvent(() => {
    if (stateAt(Date.now()).kind !== 'held') return
    isReleased.current = true
    releaseOnClose(place)
    // The browser may keep the page, and show it again.
    setMade(undefined)
  })
  useEffect(() => {
    const note = () => (activeAt.current = Date.now())
    for (const sign of signs) document.addEventListener(sign, note, { passive: true })
    const onClose = () => releaseClosed()
    window.addEventListener('pagehide', onClose)
    const timer = setInterval(tick, tickMs)
    return () => {
      clearInterval(timer)
      window.removeEventListener('pagehide', onClose)
      for (const sign of signs) document.removeEventListener(sign, note)
    }
  }, [])
  // The page that led here has claimed it; from when on is known from its own claim alone.
  const isOwn = item.claimed_by === username && username !== ''
  useEffect(() => {
    if (isOwn && made === undefined) claimOwn()
  }, [isOwn, made])

  const state = stateAt(Date.now())
  return {
    state,
    problem,
    work() {
      const { kind } = stateAt(Date.now())
      if (kind === 'held' || kind === 'reviewed' || kind === 'completed' || Date.now() - triedAt.current < tickMs) return
      void claim()
    },
    async release() {
      if (stateAt(Date.now()).kind !== 'held') return
      isReleased.current = true
      await queries.cancelQueries({ queryKey })
      const released = await client.annotationQueues.releaseItem(place)
      queries.setQueryData(queryKey, released.item)
      setMade(undefined)
    },
  }
}
