import type { ReactNode } from 'react'

interface Properties {
  /** Names the list for assistive technology. */
  label: string
  /** Its title, with actions for the whole list. */
  head: ReactNode
  footer?: ReactNode
  /** Items, each a `SideItem` in a link in a `li`. */
  children: ReactNode
}

/** The list next to the selected item. If the window is narrow, the page of the whole list replaces it. */
export const SideList = ({ label, head, footer, children }: Properties) => (
  <nav aria-label={label} className="flex w-58 shrink-0 flex-col border-r border-line max-lg:hidden">
    <div className="flex min-h-10 shrink-0 items-center gap-2 border-b border-line px-3 py-1.5">{head}</div>
    <ul className="flex min-h-0 grow flex-col gap-px overflow-auto p-2">{children}</ul>
    {footer !== undefined && <div className="flex h-9 shrink-0 items-center border-t border-line px-4 text-xs text-fg-3">{footer}</div>}
  </nav>
)

/** The classes of a link in a side list. */
export const sideLink =
  'block rounded-md px-2 py-1.5 -outline-offset-2 no-underline pressable aria-[current=page]:bg-selected aria-[current=page]:font-medium'

interface ItemProperties {
  name: string
  /** At the end of the first line. */
  mark?: ReactNode
  note: ReactNode
  /** At the end of the second line. */
  aside?: ReactNode
}

export const SideItem = ({ name, mark, note, aside }: ItemProperties) => (
  <>
    <span className="flex items-center gap-2">
      <span className="min-w-0 grow truncate text-fg" data-cut="" data-tip={name}>
        {name}
      </span>
      <span className="num shrink-0 text-xs font-normal text-fg-3">{mark}</span>
    </span>
    <span className="num flex justify-between gap-2 text-xs font-normal text-fg-3">
      <span className="truncate">{note}</span>
      <span className="shrink-0">{aside}</span>
    </span>
  </>
)
