import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** After a navigation, moves the keyboard focus to the page itself, unless it is already in it. */
export function useFocusOnPage(): void {
  const page = useRouterState({ select: ({ matches }) => matches.at(-1)?.routeId })
  const before = useRef(page)
  useEffect(() => {
    if (before.current === page) return
    before.current = page
    const content = document.getElementById('content')
    const { activeElement } = document
    if (content && !content.contains(activeElement) && !activeElement?.closest('[role=dialog]')) content.focus({ preventScroll: true })
  }, [page])
}
