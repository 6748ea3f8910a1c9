import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { cx } from '../lib/cx.ts'
import { useSize } from '../lib/use-size.ts'
import { TextButton } from './text-button.tsx'

interface Properties {
  lines: 2 | 3
  children: ReactNode
}

/** The first lines of a text, and all of it when it is wanted. What fits is shown as it is. */
export function Clamp({ lines, children }: Properties) {
  const [room, { width }] = useSize<HTMLDivElement>()
  const text = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [isCut, setIsCut] = useState(false)
  useLayoutEffect(() => {
    const shown = text.current
    if (shown && !isOpen) setIsCut(shown.scrollHeight > shown.clientHeight + 1)
  }, [width, isOpen, children])
  return (
    <div ref={room} className="min-w-0">
      <div ref={text} className={cx(!isOpen && (lines === 2 ? 'line-clamp-2' : 'line-clamp-3'))}>
        {children}
      </div>
      {(isCut || isOpen) && (
        <TextButton look="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)} className="text-xs">
          {isOpen ? 'Show less' : 'Show all'}
        </TextButton>
      )}
    </div>
  )
}
