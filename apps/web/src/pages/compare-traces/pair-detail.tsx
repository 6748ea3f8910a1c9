import type { Call } from '@heddle/core-api'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useProject } from '../../app/use-project.ts'
import { readableName } from '../../components/readable-name.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import { toText } from '../../components/to-text.ts'
import { callQuery } from '../calls/call-query.ts'
import { ShowDiff } from '../library/show-diff.tsx'
import type { ComparedPair } from './compared-call.ts'

/** What went in and came out of the calls of a pair, and where they differ. */
export function PairDetail({ pair: { a, b } }: { pair: ComparedPair }) {
  return (
    <section aria-label="Pair">
      <h2>{readableName((a ?? b)?.name ?? '')}</h2>
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
              <p>
                <CallLink id={a} name="A" /> · <CallLink id={b} name="B" />
              </p>
              {parts.map(({ title, of }) => (
                <section key={title} aria-label={title}>
                  <h3>{title}</h3>
                  <ShowDiff before={callA ? of(callA) : ''} after={callB ? of(callB) : ''} />
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
    <p>
      This call has no counterpart in the other trace. <CallLink id={id} name={name} />
    </p>
  )
}

function CallLink({ id, name }: { id: string; name: string }) {
  const { entity, project } = useProject()
  return (
    <Link to="/$entity/$project/calls/$call" params={{ entity, project, call: id }}>
      {`Call of ${name}`}
    </Link>
  )
}
