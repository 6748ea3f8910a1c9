import { Spark } from '../../plot/spark.tsx'
import { columnText } from '../../lib/texts/number-text.ts'
import { metricText } from '../curves/metric-name.ts'
import type { RewardCurve } from './reward-curve.ts'

/** The reward, or the loss, of a checkpoint, and its curve up to that checkpoint. Two values make no curve. */
export function RewardCell({ curve, isRunning = false }: { curve: RewardCurve | undefined; isRunning?: boolean }) {
  if (!curve) return <span className="text-fg-3">–</span>
  const { metric, last, values } = curve
  const text = metricText(metric, last)
  return (
    <span className="flex items-center justify-end gap-2">
      {values.length > 2 && (
        <Spark width={64} height={26} values={values} label={`Ends at ${text}`} color={isRunning ? 'var(--blue)' : 'var(--s8)'} />
      )}
      <span className="w-16 font-medium">
        {columnText(last, false)}
        {metric === 'loss' && ' loss'}
      </span>
    </span>
  )
}
