import type { Call } from '@heddle/core-api/types'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useProject } from '../../lib/use-project.ts'
import { readableName } from '../../lib/texts/readable-name.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { toText } from '../../lib/texts/to-text.ts'
import { callQuery } from '../../features/calls/call-query.ts'
import { ShowDiff } from '../../features/diff/show-diff.tsx'
import type { ComparedPair } from './compared-call.ts'

/** Inputs and outputs of the calls of a pair, and their differences. */
export function PairDetail({ pair: { a, b } }: { pair: ComparedPair }) {
  return (
    <section aria-label="Pair" className="rounded-lg border border-line p-4">
      <h2 className="mb-2 font-semibold">{readableName((a ?? b)?.name ?? '')}</h2>
      {a && b ? <Differences a={a.id} b={b.id} /> : <OneCall id={(a ?? b)?.id ?? ''} name={a ? 'A' : 'B'} />}
    </section>
  )
}

function Differences({ a, b }: { a: string; b: string }) {
  const { id: project } = useProject()
  const [one, other] = [useQuery(callQuery(project, a)), useQuery(callQuery(project, b))]
  return (
    <ShowQuery query={one} what="the call of A">
      {(callA) => (
        <ShowQuery query={other} what="the call of B">
          {(callB) => (
            <>
              <p className="flex gap-3">
                <CallLink id={a} name="A" />
                <CallLink id={b} name="B" />
              </p>
              {parts.map(({ title, of }) => (
                <section key={title} aria-label={title}>
                  <h3 className="mt-3 mb-1 text-xs font-medium text-fg-2">{title}</h3>
                  <div className="overflow-hidden rounded-lg border border-line">
                    <ShowDiff before={callA ? of(callA) : ''} after={callB ? of(callB) : ''} />
                  </div>
                </section>
              ))}
            </>
          )}
        </ShowQuery>
      )}
    </ShowQuery>
  )
}

const parts: { title: string; of: (call: Call) => string }[] = [
  { title: 'Input', of: ({ inputs }) => toText(inputs) },
  { title: 'Output', of: ({ output }) => toText(output) },
  { title: 'Error', of: ({ exception }) => exception ?? '' },
]

function OneCall({ id, name }: { id: string; name: string }) {
  return (
    <p className="text-fg-2">
      Only in {name}. <CallLink id={id} name={name} />
    </p>
  )
}

function CallLink({ id, name }: { id: string; name: string }) {
  const { entity, project } = useProject()
  return (
    <Link to="/$entity/$project/calls/$call" params={{ entity, project, call: id }} className="text-accent-text hover:underline">
      {`Call of ${name}`}
    </Link>
  )
}
