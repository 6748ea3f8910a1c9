import { Link } from '@tanstack/react-router'
import { useProject } from '../../../app/use-project.ts'
import { costText } from '../../../components/format-cost.ts'
import { addUp, type Counts, type ModelUsage } from '../../calls/model-usage.ts'

interface Properties {
  own: readonly ModelUsage[]
  /** With the calls below it; undefined where they are not known. */
  below: readonly ModelUsage[] | undefined
}

/** What a call used and what that cost, by model. */
export function CallCost({ own, below = [] }: Properties) {
  const project = useProject()
  if (own.length === 0 && below.length === 0) return <p className="muted">No tokens are recorded for this call, nor for those below it.</p>
  const shown = own.length > 0 ? own : below
  return (
    <>
      <p className="muted">
        {own.length > 0
          ? 'As this call reports it. Where calls below it report the same tokens, only those count in the trace.'
          : 'This call reports nothing itself: this is what counts of the calls below it.'}
      </p>
      <div className="scroll" tabIndex={0} role="region" aria-label="Tokens and cost by model">
        <table>
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col">Input</th>
              <th scope="col">of it cached</th>
              <th scope="col">Output</th>
              <th scope="col">Cost</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((usage) => (
              <UsageRow key={usage.model} name={usage.model} usage={usage} />
            ))}
            {shown.length > 1 && <UsageRow name="Together" usage={shown.slice(1).reduce<Counts>(addUp, shown[0]!)} />}
          </tbody>
        </table>
      </div>
      {shown.some(({ unpriced }) => unpriced > 0) && (
        <p className="notice">
          Costs leave out models without a known price.{' '}
          <Link to="/$entity/$project/settings" params={project}>
            Add their prices
          </Link>
        </p>
      )}
    </>
  )
}

function UsageRow({ name, usage }: { name: string; usage: Counts }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="number">{usage.inputTokens.toLocaleString('en')}</td>
      <td className="number">{usage.cachedTokens.toLocaleString('en')}</td>
      <td className="number">{usage.outputTokens.toLocaleString('en')}</td>
      <td className="number">{costText(usage.cost, usage.unpriced)}</td>
    </tr>
  )
}
