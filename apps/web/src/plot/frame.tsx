import { ChartColumn, Ellipsis, Table2 } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { cx } from '../lib/cx.ts'
import { readableName } from '../lib/texts/readable-name.ts'
import { IconButton } from '../ui/button.tsx'
import { Skeleton } from '../ui/card.tsx'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { Swatch } from './tip.tsx'

export interface Series {
  id: string
  name: string
  color: string
  dash?: string
}
/** Title, value, legend and menu of a chart, with its data as a table, and its loading and empty states. The height is the same in each. */
export function ChartFrame({
  title,
  name = typeof title === 'string' ? title : 'chart',
  summary,
  value,
  note,
  legend,
  drawsLines,
  table,
  children,
  state = 'ready',
  className,
  height,
  actions,
  menu,
  below,
  bare,
}: {
  title: ReactNode
  /** Name of the chart, if its title is not text. */
  name?: string
  /** Description of the data for screen readers. */
  summary?: string
  value?: ReactNode
  note?: ReactNode
  legend?: readonly Series[]
  /** The series are lines, also in the legend. */
  drawsLines?: boolean
  /** Its data, the first column naming the row; of many rows what shows those in sight. */
  table: { columns: readonly string[]; rows: readonly (readonly ReactNode[])[] } | (() => ReactNode)
  children: ReactNode
  state?: 'ready' | 'loading' | 'empty'
  className?: string
  height: number
  actions?: ReactNode
  /** Further items of its menu. */
  menu?: ReactNode
  /** Under the chart, or its table. */
  below?: ReactNode
  bare?: boolean
}) {
  const [asTable, setAsTable] = useState(false)
  const loading = (
    <div role="status" aria-busy="true" style={{ height }}>
      <span className="sr-only">Loading {name}</span>
      <Skeleton className="mx-2 h-full" />
    </div>
  )
  return (
    <figure aria-label={name} className={cx('group flex min-w-0 flex-col', !bare && 'rounded-lg border border-line bg-sheet', className)}>
      <figcaption className="flex min-h-10 items-center gap-x-2 pt-1 pr-1.5 pl-4 max-md:flex-wrap max-md:gap-y-1 max-md:pt-2">
        <h2 className="min-w-0 shrink truncate font-semibold" data-cut="" data-tip={name}>
          {title}
        </h2>
        {value && <span className="num shrink-0 whitespace-nowrap text-fg-2">{value}</span>}
        {note && <span className="min-w-0 shrink-9999 truncate text-xs text-fg-3">{note}</span>}
        {legend && <Legend series={legend} drawsLines={drawsLines === true} />}
        <span className="ml-auto flex max-w-full shrink-0 items-center gap-2">
          {actions}
          <Menu label={name} placement="bottom-end" trigger={<IconButton label={`Options of ${name}`} icon={Ellipsis} />}>
            <MenuItem icon={asTable ? ChartColumn : Table2} onClick={() => setAsTable(!asTable)}>
              {asTable ? 'Show as chart' : 'Show as table'}
            </MenuItem>
            {menu && <MenuSeparator />}
            {menu}
          </Menu>
        </span>
      </figcaption>
      {summary !== undefined && <p className="sr-only">{summary}</p>}
      <div className="min-h-0 px-2 pb-2" style={{ minHeight: height }}>
        {state === 'loading' ? (
          loading
        ) : state === 'empty' ? (
          <p className="flex items-center justify-center text-fg-3" style={{ height }}>
            No data in this range
          </p>
        ) : asTable && typeof table === 'function' ? (
          <div className="flex h-60 flex-col">{table()}</div>
        ) : asTable && typeof table === 'object' ? (
          <div tabIndex={0} role="region" aria-label={`Data of ${name}`} className="max-h-60 overflow-auto px-2">
            <table aria-label={`${name} as a table`} className="num w-full text-xs">
              <thead>
                <tr className="text-fg-3">
                  {table.columns.map((c, i) => (
                    <th key={c} scope="col" className={cx('py-1 font-normal', i ? 'text-right' : 'text-left')}>
                      {c}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {table.rows.map((row, at) => (
                  // Rows and cells keep their order, so the index is a stable key.
                  <tr key={String(at)} className="border-t border-line">
                    {row.map((cell, i) => (
                      <td key={String(i)} className={cx('py-1', i > 0 && 'text-right')}>
                        {cell}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        ) : (
          <Suspense fallback={loading}>{children}</Suspense>
        )}
      </div>
      {below}
    </figure>
  )
}
function Legend({ series, drawsLines }: { series: readonly Series[]; drawsLines: boolean }) {
  return (
    // The note gives way first, then the names are cut.
    <ul
      style={{ minWidth: series.length * 32 - 12 }}
      className="flex h-4 shrink-99 grow justify-end gap-x-3 max-md:order-1 max-md:h-auto max-md:basis-full max-md:flex-wrap max-md:justify-start max-md:gap-y-1 max-md:pb-1"
    >
      {series.map((s) => (
        <li key={s.id} className="flex max-w-full min-w-5 items-center gap-1.5 text-xs text-fg-2">
          <Swatch color={s.color} dash={s.dash} line={drawsLines} />
          <span className="truncate" data-cut="" data-tip={readableName(s.name)}>
            {s.name}
          </span>
        </li>
      ))}
    </ul>
  )
}
