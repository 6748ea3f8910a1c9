import { ChevronDown, ChevronRight, type LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { cx } from '../lib/cx.ts'

interface Properties {
  icon: LucideIcon
  title: ReactNode
  /** At the end of the line. */
  meta?: ReactNode
  isOpenAtFirst?: boolean
  tone?: 'red' | undefined
  /** In the page also while it is folded: for texts, which cost little. Default: folded content is not rendered. */
  isKept?: boolean
  children: ReactNode
}

/** Content that is loaded on demand, below a line that opens it. */
export function Fold({ icon: Icon, title, meta, children, isOpenAtFirst = false, tone, isKept = false }: Properties) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <div data-fold="" className={cx('overflow-hidden rounded-lg border', tone === 'red' ? 'border-red-line' : 'border-line')}>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className={cx(
          'flex min-h-8 w-full items-center gap-2 px-3 text-left -outline-offset-2',
          tone === 'red' ? 'bg-red-soft' : 'bg-sunken pressable',
        )}
      >
        <Chevron size={13} aria-hidden className="text-fg-3" />
        <Icon size={13} aria-hidden className="text-fg-3" />
        <span className="min-w-0 grow truncate">{title}</span>
        {meta}
      </button>
      {(isOpen || isKept) && (
        <div hidden={!isOpen} className={cx('border-t px-3 py-2', tone === 'red' ? 'border-red-line' : 'border-line')}>
          {children}
        </div>
      )}
    </div>
  )
}
