import { useEffect, useRef } from 'react'

/** Runs the action of a key anywhere on the page, except while the user types or a dialog or menu is open. */
export function usePageKeys(actions: Readonly<Record<string, () => void>>): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    function listen(event: KeyboardEvent) {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return
      const target = event.target instanceof Element ? event.target : document.body
      if (
        target.closest(
          'input:not([type=radio]), textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]',
        )
      )
        return
      const action = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined
      if (action === undefined) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
