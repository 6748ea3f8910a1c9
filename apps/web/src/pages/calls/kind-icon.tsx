import type { CallKind } from '@heddle/core-api'

interface Kind {
  /** What a person calls it. */
  title: string
  /** Path of its drawing, on 16 by 16. */
  path: string
}

const kinds: Record<CallKind, Kind> = {
  // A bubble of speech with two lines.
  model: { title: 'Model call', path: 'M2 3h12v8H7l-3 3v-3H2zM5 6h6M5 8.5h4' },
  // A wrench.
  tool: { title: 'Tool', path: 'M10 2a3.5 3.5 0 0 0-3.3 4.7L2 11.4 4.6 14l4.7-4.7A3.5 3.5 0 0 0 14 6l-2.2 2-2-.8L9 5.2 11 3z' },
  // A head with an antenna.
  agent: { title: 'Agent', path: 'M3 6h10v7H3zM8 6V3M8 2v.5M6 9v1M10 9v1M1.5 9v2M14.5 9v2' },
  // A magnifying glass.
  retrieval: { title: 'Retrieval', path: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9M10.3 10.3 14 14' },
  // A clipboard with a tick.
  evaluation: { title: 'Evaluation', path: 'M3 3h10v11H3zM6 2h4v2H6zM5.5 9l2 2 3.5-4' },
  // A box.
  other: { title: 'Step', path: 'M4 4h8v8H4z' },
}

const failed: Kind = { title: 'Failed', path: 'M8 2 15 14H1zM8 6.5v3.5M8 11.7v.3' }

/** What a call did, and whether it failed: as drawings, and as words for who does not see them. */
export function KindIcon({ kind, isFailed = false }: { kind: CallKind; isFailed?: boolean }) {
  return (
    <>
      <Icon {...kinds[kind]} className="kind" />
      {isFailed && <Icon {...failed} className="kind failed" />}
    </>
  )
}

function Icon({ title, path, className }: Kind & { className: string }) {
  return (
    <span className={className} title={title}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={path} />
      </svg>
      <span className="visually-hidden">{`${title}: `}</span>
    </span>
  )
}
