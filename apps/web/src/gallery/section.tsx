import type { ReactNode } from 'react'

/** Parts of one kind, under their name. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="rounded-lg border border-line bg-sheet p-4">
      <h2 className="mb-3 font-semibold">{title}</h2>
      <div className="flex flex-wrap items-start gap-3">{children}</div>
    </section>
  )
}
