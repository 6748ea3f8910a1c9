import { SentenceCase } from '../../ui/texts/sentence-case.tsx'
import { TimeInColumn } from '../../ui/time/time.tsx'

export function TimeOrNever({ value }: { value: string | null }) {
  return value === null ? (
    <span className="text-fg-3">
      <SentenceCase text="never" />
    </span>
  ) : (
    <TimeInColumn value={value} />
  )
}
