import { useEffect, useRef, useState } from 'react'
import { inParts, type Outcome } from './in-parts.ts'

type Act<Result> = (part: readonly string[], signal: AbortSignal) => Promise<Result>

/** An action on many calls that is done in parts, says how far it is, and can be stopped. It stops when its component goes. */
export interface Parts {
  /** How many calls are done. */
  done: number
  run: <Result>(ids: readonly string[], act: Act<Result>) => Promise<Outcome<Result>>
  stop: () => void
}

export function useParts(): Parts {
  const [done, setDone] = useState(0)
  const running = useRef<AbortController>(undefined)
  const stop = () => running.current?.abort()
  useEffect(() => () => running.current?.abort(), [])
  return {
    done,
    stop,
    run(ids, act) {
      const { signal } = (running.current = new AbortController())
      setDone(0)
      return inParts(ids, { signal, onDone: setDone }, act)
    },
  }
}
