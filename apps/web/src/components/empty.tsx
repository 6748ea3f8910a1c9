import type { ReactNode } from 'react'

/** What a page shows where there is nothing yet: what belongs here, and how it comes to be. */
export function Empty({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  )
}
