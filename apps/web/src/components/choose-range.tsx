import { rangeTitles, type TimeRange, timeRanges } from '../app/time-range.ts'

/** Chooses the time that a page sums up. */
export function ChooseRange({ range, onChange }: { range: TimeRange; onChange: (range: TimeRange) => void }) {
  return (
    <>
      <label htmlFor="range">In the last</label>
      <select id="range" value={range} onChange={({ target }) => onChange(timeRanges.find((known) => known === target.value) ?? range)}>
        {timeRanges.map((known) => (
          <option key={known} value={known}>
            {rangeTitles[known]}
          </option>
        ))}
      </select>
    </>
  )
}
