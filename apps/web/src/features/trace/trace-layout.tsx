import type { ReactNode } from 'react'

interface Properties {
  /** On one line above. */
  totals: ReactNode
  /** Details of the selected span: next to its trace, or below it if there is no room. */
  details: ReactNode
  children: ReactNode
}

/** A trace and one of its spans, filling the sheet; each scrolls separately. */
export function TraceLayout({ totals, details, children }: Properties) {
  return (
    <div data-flush className="flex h-full min-h-0 flex-col">
      {totals}
      <div className="flex min-h-0 grow max-lg:flex-col">
        <section aria-label="Trace" className="flex min-h-0 min-w-0 flex-[1.3] flex-col border-line lg:border-r">
          {children}
        </section>
        <section aria-label="Span" className="flex min-h-0 min-w-0 flex-1 flex-col border-line max-lg:border-t">
          {details}
        </section>
      </div>
    </div>
  )
}
