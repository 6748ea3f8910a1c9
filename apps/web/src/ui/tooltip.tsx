import { cloneElement, type ReactElement, useEffect, useId, useRef, useState } from 'react'
import { withoutDirection } from '../lib/texts/without-direction.ts'
import { KeyHint } from './key-hint.tsx'

type Place = 'bottom' | 'right' | 'top' | 'left'
/**
 * Explains an icon or a shortened text, on hover and on focus. Essential information must not be only here. It marks its child; one layer draws all
 * tooltips, so a table of thousands of cells costs nothing.
 */
export function Tooltip({
  text,
  keys,
  children,
  placement = 'bottom',
}: {
  text: string
  keys?: string | undefined
  children: ReactElement
  placement?: Place
}) {
  return cloneElement(children as ReactElement<Record<string, unknown>>, {
    'data-tip': withoutDirection(text),
    'data-keys': keys,
    'data-place': placement,
  })
}

interface VisibleTooltip {
  text: string
  keys: string | undefined
  x: number
  y: number
  place: Place
}
/** Once, at the root. Follows the pointer and the focus; Escape hides it; the pointer may rest on it (WCAG 1.4.13). */
export function TooltipLayer() {
  const [shown, setShown] = useState<VisibleTooltip>()
  const id = useId()
  const timer = useRef<number>(undefined)
  const owner = useRef<HTMLElement>(undefined)
  useEffect(() => {
    const hide = () => {
      clearTimeout(timer.current)
      owner.current?.removeAttribute('aria-describedby')
      owner.current = undefined
      setShown(undefined)
    }
    const show = (element: HTMLElement, delay: number) => {
      if (element === owner.current) return
      hide()
      timer.current = window.setTimeout(() => {
        if (!element.isConnected || element.getAttribute('aria-expanded') === 'true' || isWhole(element)) return
        owner.current = element
        const { tip: text = '', keys, place } = element.dataset
        const r = element.getBoundingClientRect()
        const at =
          place === 'right'
            ? { x: r.right + 6, y: r.top + r.height / 2 }
            : place === 'top'
              ? { x: r.left + r.width / 2, y: r.top - 6 }
              : { x: r.left + r.width / 2, y: r.bottom + 6 }
        if (element.getAttribute('aria-label') !== text && element.textContent !== text) element.setAttribute('aria-describedby', id)
        setShown({ text, keys, ...at, place: (place as Place | undefined) ?? 'bottom' })
      }, delay)
    }
    const find = (target: EventTarget | null) => (target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null)
    const over = (event: PointerEvent) => {
      const element = find(event.target)
      if (element) show(element, 350)
      else if (!(event.target instanceof Element && event.target.closest('[role=tooltip]'))) hide()
    }
    const focus = (event: FocusEvent) => {
      const element = find(event.target)
      if (element?.matches(':focus-visible')) show(element, 0)
      else hide()
    }
    const key = (event: KeyboardEvent) => {
      if (event.key === 'Escape') hide()
    }
    addEventListener('pointerover', over)
    addEventListener('focusin', focus)
    addEventListener('keydown', key)
    addEventListener('pointerdown', hide)
    addEventListener('scroll', hide, true)
    return () => {
      removeEventListener('pointerover', over)
      removeEventListener('focusin', focus)
      removeEventListener('keydown', key)
      removeEventListener('pointerdown', hide)
      removeEventListener('scroll', hide, true)
    }
  }, [id])
  if (!shown) return null
  const shift = {
    bottom: 'translate(-50%, 0)',
    top: 'translate(-50%, -100%)',
    right: 'translate(0, -50%)',
    left: 'translate(-100%, -50%)',
  }[shown.place]
  return (
    <div
      role="tooltip"
      id={id}
      className="fixed z-60 flex max-w-80 items-center gap-2 rounded-md bg-ink px-2 py-1 text-xs text-ink-fg shadow-md"
      style={{ left: Math.min(Math.max(shown.x, 60), innerWidth - 80), top: shown.y, transform: shift }}
    >
      {shown.text}
      {shown.keys && <KeyHint keys={shown.keys} inverse />}
    </div>
  )
}

/** Whether a text that only needs its tooltip where it is cut is shown in full. */
const isWhole = (element: HTMLElement) =>
  element.dataset['cut'] !== undefined &&
  [element, ...element.querySelectorAll('.truncate')].every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)
