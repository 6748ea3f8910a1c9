import { cloneElement, type ReactElement, type ReactNode, Suspense, useState } from 'react'
import { Closed, MissingCodeBoundary } from './lazy-part.tsx'
import { preloadOverlays } from './overlays.tsx'

/** The trigger alone until it is first pressed; then the real thing, opened, with the focus where it belongs. */
export function LazyTrigger({
  trigger,
  popup,
  open,
  label,
  children,
}: {
  trigger: ReactElement
  popup: 'menu' | 'dialog' | 'listbox'
  open: boolean | undefined
  label?: { id: string; text: string } | undefined
  children: () => ReactNode
}) {
  const [used, setUsed] = useState(!!open)
  const press = (event: KeyboardEvent) => {
    if (popup !== 'dialog' && event.key === 'ArrowDown') {
      event.preventDefault()
      setUsed(true)
    }
  }
  const first = (
    <>
      {label && <span className="mb-1 block text-xs font-medium text-fg-2">{label.text}</span>}
      {cloneElement(trigger as ReactElement<Record<string, unknown>>, {
        'aria-haspopup': popup,
        'aria-expanded': false,
        onPointerEnter: preloadOverlays,
        onFocus: preloadOverlays,
        onClick: () => setUsed(true),
        onKeyDown: press,
      })}
    </>
  )
  return used ? (
    <MissingCodeBoundary fallback={<Closed onClose={() => setUsed(false)} />}>
      <Suspense fallback={first}>{children()}</Suspense>
    </MissingCodeBoundary>
  ) : (
    first
  )
}
