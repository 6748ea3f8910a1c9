import type { ReactNode } from 'react'
import { PageFooterPlace, PageHeadPlace } from '../../ui/page.tsx'
import { TimeZoneMenu } from './time-zone-menu.tsx'

interface Properties {
  isBusy?: boolean
  /** Above the body, and not scrolled with it. */
  notices?: ReactNode
  children?: ReactNode
}

/** What pages are drawn on: the head, the body, which scrolls, and a line that names the time zone of all times. Nothing scrolls outside it. */
export function Sheet({ isBusy, notices, children }: Properties) {
  return (
    <div className="flex min-h-0 min-w-0 grow flex-col overflow-hidden rounded-xl border border-line bg-sheet shadow-sm">
      <main id="content" tabIndex={-1} aria-busy={isBusy || undefined} className="relative flex min-h-0 grow flex-col outline-none">
        <PageHeadPlace />
        {notices}
        {/* A page that extends to the edges marks its element with `data-flush`. */}
        <div
          id="page-body"
          data-scroll-restoration-id="page-body"
          // It scrolls by keys where nothing in it has the focus.
          tabIndex={0}
          className="min-h-0 grow overflow-auto p-4 -outline-offset-2 has-[>[data-flush]]:overflow-hidden has-[>[data-flush]]:p-0"
        >
          {children}
        </div>
      </main>
      <footer className="flex h-9 shrink-0 items-center gap-3 border-t border-line px-4 text-xs text-fg-3">
        <PageFooterPlace />
        <TimeZoneMenu />
      </footer>
    </div>
  )
}
