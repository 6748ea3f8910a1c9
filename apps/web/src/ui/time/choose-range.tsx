import { Calendar } from 'lucide-react'
import { rangeTitles, type TimeRange, timeRanges } from '../../lib/time/time-range.ts'
import { Select } from '../select.tsx'

const choices = timeRanges.map((range) => ({ value: range, label: `Last ${rangeTitles[range]}` }))

/** Chooses the time that a page sums up. */
export function ChooseRange({ range, onChange }: { range: TimeRange; onChange: (range: TimeRange) => void }) {
  return (
    <Select
      label="Time range"
      hideLabel
      icon={Calendar}
      choices={choices}
      value={range}
      onChange={(value) => onChange(timeRanges.find((known) => known === value) ?? range)}
    />
  )
}
