import { useEffect, useRef } from 'react'

interface GlobalKeys {
  onHelp: () => void
  onGoTo: () => void
}

/** Calls back for the keys of every page. */
export function useGlobalKeys(handlers: GlobalKeys) {
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  useEffect(() => {
    function listen(event: KeyboardEvent) {
      if (event.defaultPrevented || event.repeat || event.altKey) return
      const isCommand = event.ctrlKey || event.metaKey
      if (isCommand && !event.shiftKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        return latest.current.onGoTo()
      }
      const target = event.target instanceof Element ? event.target : document.body
      const isTyping = target.matches('input, textarea, select') || target.closest('dialog') !== null
      if (event.key !== '?' || isCommand || isTyping || hasOwnHelp(window.location.pathname)) return
      event.preventDefault()
      latest.current.onHelp()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** Whether the page answers `?` itself, with more than a list. */
export const hasOwnHelp = (pathname: string) => /\/queues\/[^/]+\/annotate\//.test(pathname)
