import { readableName } from '../../lib/texts/readable-name.ts'
import type { Kind } from '../../ui/badge.tsx'
import { type NamePart, partsOfName } from './parts-of-name.ts'

const looks = { name: undefined, model: 'mono font-normal text-fg-2', hidden: 'sr-only' }

/** The name of a call next to the icon of its kind, with its model set apart. Where it is cut, the version of the model is not. */
export function CallName({ name, kind }: { name: string; kind: Kind }) {
  const parts = partsOfName(readableName(name), kind)
  const last = parts.at(-1)
  const at = last?.as === 'model' ? last.text.lastIndexOf(':') : -1
  if (last === undefined || at <= 0) return <Parts parts={parts} />
  return (
    <span className="inline-flex max-w-full min-w-0 align-bottom">
      <span className="truncate">
        <Parts parts={[...parts.slice(0, -1), { ...last, text: last.text.slice(0, at) }]} />
      </span>
      <span className={`shrink-0 ${looks.model}`}>{last.text.slice(at)}</span>
    </span>
  )
}

const Parts = ({ parts }: { parts: readonly NamePart[] }) =>
  parts.map(({ text, as }, at) => (
    <span key={String(at)} className={looks[as]}>
      {text}
    </span>
  ))
