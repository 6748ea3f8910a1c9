import { Progress } from '../../ui/badge.tsx'

/** How many items of a queue are completed or skipped. */
export function QueueProgress({ done, total }: { done: number; total: number }) {
  if (total === 0) return <span className="text-fg-3">No items</span>
  return (
    <span className="flex items-center gap-3">
      <span className="w-40 min-w-8 shrink">
        <Progress
          value={done / total}
          tone={done === total ? 'green' : 'accent'}
          label={`${done.toLocaleString('en')} of ${total.toLocaleString('en')} items are done`}
        />
      </span>
      <span className="num text-xs whitespace-nowrap text-fg-2">
        {done.toLocaleString('en')} of {total.toLocaleString('en')}
      </span>
    </span>
  )
}
