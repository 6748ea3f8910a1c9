import { Fragment, type ReactNode } from 'react'
import { cx } from '../lib/cx.ts'

/** A line of two texts: in both, or in one of them, with the words that differ marked. */
export interface DiffLine {
  kind: 'same' | 'add' | 'remove'
  parts: readonly (string | { mark: string })[]
}

export type ShowText = (text: string) => ReactNode

interface LinesProperties {
  lines: readonly DiffLine[]
  /** Numbers of the first line in both texts. Absent: lines have none. */
  from?: { before: number; after: number }
  /** How the parts of lines that are not marked are shown. Default: as they are. */
  show?: ShowText | undefined
}

const signs = { same: '  ', add: '+ ', remove: '- ' }
const names = { same: undefined, add: 'added', remove: 'removed' }

/** A diff, made of `DiffLines` and the elements between them. */
export function Diff({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  return (
    <div role="region" aria-label={label} tabIndex={0} className={cx('mono overflow-auto py-1 leading-6 -outline-offset-2', className)}>
      {children}
    </div>
  )
}

/** Lines with a sign before each, the changed words marked within. */
export function DiffLines({ lines, from, show = (text) => text }: LinesProperties) {
  let { before, after } = from ?? { before: 0, after: 0 }
  return lines.map(({ kind, parts }, at) => {
    const places = [kind === 'add' ? '' : before++, kind === 'remove' ? '' : after++]
    return (
      <div
        // Lines keep their order, so the index is a stable key.
        key={String(at)}
        className={cx(
          'grid',
          from ? 'grid-cols-[minmax(36px,max-content)_minmax(36px,max-content)_20px_minmax(0,1fr)]' : 'grid-cols-[20px_minmax(0,1fr)] pl-2',
          kind === 'add' && 'bg-green-soft',
          kind === 'remove' && 'bg-red-soft',
        )}
      >
        {from &&
          places.map((place, side) => (
            <span key={String(side)} aria-hidden className="num pr-2 text-right text-2xs leading-6 text-fg-3">
              {place}
            </span>
          ))}
        <span
          role="img"
          aria-label={names[kind]}
          aria-hidden={kind === 'same'}
          className={cx('whitespace-pre', kind === 'add' ? 'text-green-text' : 'text-red-text')}
        >
          {signs[kind]}
        </span>
        <span className="pr-4 whitespace-pre-wrap wrap-anywhere">
          {parts.map((part, place) =>
            typeof part === 'string' ? (
              <Fragment key={String(place)}>{show(part)}</Fragment>
            ) : (
              <Changed key={String(place)} kind={kind}>
                {part.mark}
              </Changed>
            ),
          )}
          {parts.length === 0 && ' '}
        </span>
      </div>
    )
  })
}

/** Marked by tint and by line, for users who cannot see colors. */
function Changed({ kind, children }: { kind: DiffLine['kind']; children: string }) {
  return kind === 'remove' ? (
    <del className="rounded-xs bg-red-line px-0.5 text-fg">{children}</del>
  ) : (
    <ins className="rounded-xs bg-green-line px-0.5 text-fg underline">{children}</ins>
  )
}
