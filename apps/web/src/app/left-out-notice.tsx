import { useRouterState } from '@tanstack/react-router'
import { leftOutValues } from './left-out-values.ts'

/** Says which values of the address the page does not know, and so does not show. */
export function LeftOutNotice() {
  const text = useRouterState({
    select: ({ location, matches }) => leftOutValues(location.search, matches.at(-1)?.search ?? location.search).join(', '),
  })
  if (text === '') return null
  return (
    <p className="notice" role="status">
      The address has values that this page does not know; they are left out: {text}
    </p>
  )
}
