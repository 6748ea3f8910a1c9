import { ChevronRight } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { createPlace } from '../lib/place.ts'

const head = createPlace()
const footer = createPlace()

/** Location of the current page's header: one row above its body, which does not scroll away. */
export const PageHeadPlace = () => (
  <header
    ref={head.set}
    className="flex min-h-12 shrink-0 items-center gap-2 border-b border-line px-3 empty:border-transparent max-lg:flex-wrap max-lg:py-2"
  />
)

/** Location of the current page's totals: at the left of the line below it. */
export const PageFooterPlace = () => <div ref={footer.set} className="flex min-w-0 grow items-center gap-3" />

interface Properties {
  /** Title of the page: its only `h1`. */
  title: ReactNode
  /** Links to the pages above it, the uppermost first. */
  trail?: readonly ReactNode[]
  /** The state of the page's subject: badges and metrics next to the title. */
  state?: ReactNode
  /** Secondary actions, the menu of further ones, and the primary action last. */
  actions?: ReactNode
}

/** The header of the page, shown above the body wherever a page renders it: location on the left, actions on the right. */
export function PageHead({ title, trail = [], state, actions }: Properties) {
  const place = head.useElement()
  return (
    place &&
    createPortal(
      <>
        <div className="flex min-w-0 items-center gap-1">
          {trail.length > 0 && <Trail links={trail} />}
          <h1 className="truncate px-1 font-semibold" data-cut="" data-tip={typeof title === 'string' ? title : undefined}>
            {title}
          </h1>
        </div>
        {state !== undefined && <div className="flex min-w-0 items-center gap-2 text-fg-2">{state}</div>}
        {actions !== undefined && <div className="ml-auto flex flex-wrap items-center justify-end gap-2">{actions}</div>}
      </>,
      place,
    )
  )
}

function Trail({ links }: { links: readonly ReactNode[] }) {
  return (
    <nav aria-label="Breadcrumbs" className="shrink-0">
      <ol className="flex items-center gap-1">
        {links.map((link, at) => (
          // The pages above keep their order.
          <Fragment key={String(at)}>
            <li className="[&>a]:rounded-sm [&>a]:px-1 [&>a]:text-fg-2 [&>a]:no-underline [&>a]:pressable [&>a]:hover:text-fg">{link}</li>
            <li aria-hidden className="inline-flex">
              <ChevronRight size={13} className="text-fg-3" />
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  )
}

/** Totals of the page, or where one is in it. */
export function PageFooter({ children }: { children: ReactNode }) {
  const place = footer.useElement()
  return place && createPortal(children, place)
}
