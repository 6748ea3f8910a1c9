import type { MouseEvent } from 'react'

/** The first stop of the keyboard: skips the frame of the page. The address is unchanged, including its hash. */
export function SkipLink() {
  const skip = (event: MouseEvent) => {
    event.preventDefault()
    document.getElementById('content')?.focus()
  }
  return (
    <a
      href="#content"
      onClick={skip}
      className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-60 focus:rounded-md focus:bg-raised focus:px-3 focus:py-2 focus:shadow-md"
    >
      Skip to content
    </a>
  )
}
