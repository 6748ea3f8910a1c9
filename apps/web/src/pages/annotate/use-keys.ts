import { useLayoutEffect, useRef } from 'react'
import { type AnnotateAction, toAnnotateAction } from './annotate-keys.ts'

/** What answers keys itself. */
const ownKeys = 'select, [role="combobox"], [role="listbox"], [role="menu"], [role="dialog"], [role="alertdialog"]'

/**
 * Calls back for each key of the page. Layout effects: whatever rendered the page, the listener is attached before the item is drawn, so that no key
 * precedes it. Passive effects may run later than that.
 */
export function useKeys(onAction: (action: AnnotateAction) => void, onHelp: () => void) {
  const latest = useRef({ onAction, onHelp })
  useLayoutEffect(() => {
    latest.current = { onAction, onHelp }
  })
  useLayoutEffect(() => {
    function listen(event: KeyboardEvent) {
      if (event.defaultPrevented) return
      const target = event.target instanceof Element ? event.target : document.body
      if (target.closest(ownKeys)) return
      const isTyping = isTextInput(target)
      const { key, ctrlKey, metaKey, altKey, shiftKey, repeat } = event
      if (key === '?' && !isTyping && !repeat) return latest.current.onHelp()
      const action = toAnnotateAction({ key, ctrlKey, metaKey, altKey, shiftKey, repeat, isTyping })
      if (!action) return
      event.preventDefault()
      latest.current.onAction(action)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

export const isTextInput = (element: Element) => element.matches('input:not([type="radio"]), textarea')
