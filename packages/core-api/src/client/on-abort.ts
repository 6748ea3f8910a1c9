type Work = () => void

interface Followers {
  work: Set<Work>
  listener: Work
}

const followersOf = new WeakMap<AbortSignal, Followers>()

/**
 * Runs `work` once the signal aborts, or immediately if it has, unless the returned function was called before. All callers share one listener per
 * signal: Node warns of a leak from the eleventh on.
 */
export function onAbort(signal: AbortSignal | undefined, work: Work): Work {
  if (!signal) return () => undefined
  if (signal.aborted) {
    work()
    return () => undefined
  }
  const followers = followersOf.get(signal) ?? follow(signal)
  followers.work.add(work)
  return () => {
    followers.work.delete(work)
    if (followers.work.size > 0) return
    signal.removeEventListener('abort', followers.listener)
    if (followersOf.get(signal) === followers) followersOf.delete(signal)
  }
}

function follow(signal: AbortSignal): Followers {
  const work = new Set<Work>()
  const listener = () => {
    followersOf.delete(signal)
    for (const one of work) one()
  }
  const followers = { work, listener }
  followersOf.set(signal, followers)
  signal.addEventListener('abort', listener, { once: true })
  return followers
}
