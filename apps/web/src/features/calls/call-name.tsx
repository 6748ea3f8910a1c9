import { readableName } from '../../lib/texts/readable-name.ts'
import type { Kind } from '../../ui/badge.tsx'
import { partsOfName } from './parts-of-name.ts'

const looks = { name: undefined, model: 'mono font-normal text-fg-2', hidden: 'sr-only' }

/** The name of a call next to the icon of its kind, with its model set apart. */
export const CallName = ({ name, kind }: { name: string; kind: Kind }) =>
  partsOfName(readableName(name), kind).map(({ text, as }, at) => (
    <span key={String(at)} className={looks[as]}>
      {text}
    </span>
  ))
