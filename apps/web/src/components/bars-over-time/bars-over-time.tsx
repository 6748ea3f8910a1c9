import './bars-over-time.css'
import { type ReactNode, useLayoutEffect, useRef } from 'react'

interface Properties {
  /** Pixels. */
  height: number
  /** Start of the last bar, or undefined without bars. */
  newest: string | undefined
  /** `time-bar`s, the oldest first. */
  children: ReactNode
}

/** Bars that each stand for a part of a time. Where the page is too narrow for all, the newest are in view and the others are a scroll away. */
export function BarsOverTime({ height, newest, children }: Properties) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (newest !== undefined) box.current?.scrollTo({ left: box.current.scrollWidth })
  }, [newest])
  return (
    <div ref={box} className="bars-over-time" style={{ height }}>
      {children}
    </div>
  )
}
