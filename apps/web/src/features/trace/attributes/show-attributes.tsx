import { Fragment } from 'react'
import { jsonText } from '../../../lib/texts/to-text.ts'
import { cx } from '../../../lib/cx.ts'
import { Clamp } from '../../../ui/clamp.tsx'
import type { FactGroup } from './facts-of-value.ts'

/** Attributes of a call, by the paths of its values. */
export function ShowAttributes({ groups }: { groups: readonly FactGroup[] }) {
  if (groups.length === 0) return <p className="p-4 text-fg-3">No attributes</p>
  return (
    <div className="flex flex-col gap-5 p-4">
      {groups.map(({ title, facts, leftOut }, at) => (
        <section key={title} aria-label={title}>
          {(at > 0 || title !== 'Attributes') && <h3 className="mb-2 text-xs font-medium text-fg-2">{title}</h3>}
          <dl className="grid grid-cols-[38%_minmax(0,1fr)] gap-x-4 gap-y-1.5">
            {facts.map(({ path, value }) => (
              <div key={path} className="contents">
                <dt className="text-fg-3 wrap-anywhere">
                  <Path path={path} />
                </dt>
                <dd className="num min-w-0">
                  <Value value={value} />
                </dd>
              </div>
            ))}
          </dl>
          {leftOut > 0 && <p className="mt-2 text-xs text-fg-3">{`${leftOut.toLocaleString('en')} more under Raw`}</p>}
        </section>
      ))}
    </div>
  )
}

const maxCharacters = 20_000

/** A path that may wrap at its dots. */
const Path = ({ path }: { path: string }) =>
  path.split('.').map((name, at) => (
    // Names keep their order, so the index is a stable key.
    <Fragment key={String(at)}>
      {at > 0 && (
        <>
          .<wbr />
        </>
      )}
      {name}
    </Fragment>
  ))

function Value({ value }: { value: unknown }) {
  const text = typeof value === 'string' ? value : jsonText(value)
  return (
    <Clamp lines={3}>
      <span className={cx('wrap-anywhere whitespace-pre-wrap', typeof value === 'object' && 'mono')}>{text.slice(0, maxCharacters)}</span>
      {text.length > maxCharacters && <span className="text-xs text-fg-3"> The rest stands under Raw.</span>}
    </Clamp>
  )
}
