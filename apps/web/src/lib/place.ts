import { useSyncExternalStore } from 'react'

/** A location in the page that another component fills, by a portal. There is one of each at a time. */
export interface Place {
  /** For `ref` of the element. */
  set: (element: HTMLElement | null) => void
  /** The element; null if there is none. */
  useElement: () => HTMLElement | null
}

export function createPlace(): Place {
  const listeners = new Set<() => void>()
  let place: HTMLElement | null = null
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return {
    set: (element) => {
      place = element
      for (const listener of listeners) listener()
    },
    useElement: () => useSyncExternalStore(subscribe, () => place),
  }
}
