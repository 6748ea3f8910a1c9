import { type FormEvent, useState } from 'react'
import { cx } from '../lib/cx.ts'
import { parseTime } from '../lib/time/parse-time.ts'
import { Button } from './button.tsx'
import { TextField } from './text-field.tsx'

/** A time that ends now. */
export interface RangePreset {
  value: string
  label: string
  /** Short form. */
  short?: string
}

export interface TimesProperties {
  presets: readonly RangePreset[]
  /** Value of a preset, or undefined for a custom time. */
  value: string | undefined
  timeZone: string
  onPreset: (value: string) => void
  /** Times in ISO 8601, UTC. Undefined where only presets are offered. */
  onTimes?: ((start: string, end: string) => void) | undefined
}

/** The presets, and two fields for other times. */
export function DateRangeChoices({ presets, value, timeZone, onPreset, onTimes }: TimesProperties) {
  return (
    <>
      <ul className={cx('w-44 p-1', onTimes && 'border-line max-md:w-full max-md:border-b md:border-r')}>
        {presets.map((preset) => (
          <li key={preset.value}>
            <button
              type="button"
              aria-pressed={preset.value === value}
              onClick={() => onPreset(preset.value)}
              className={cx('item w-full text-left', preset.value === value && 'bg-selected font-medium text-accent-text')}
            >
              <span className="grow">{preset.label}</span>
              {preset.short !== undefined && (
                <span aria-hidden className="mono text-fg-3">
                  {preset.short}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
      {onTimes && <TimesForm timeZone={timeZone} onTimes={onTimes} />}
    </>
  )
}

function TimesForm({ timeZone, onTimes }: { timeZone: string; onTimes: NonNullable<TimesProperties['onTimes']> }) {
  const [from, setFrom] = useState('1 day ago')
  const [to, setTo] = useState('now')
  const [problems, setProblems] = useState<{ from?: string; to?: string }>({})
  function submit(event: FormEvent) {
    event.preventDefault()
    const now = Date.now()
    const [start, end] = [parseTime(from, { timeZone, now }), parseTime(to, { timeZone, now })]
    const unread = 'Write a time such as 2026-11-26 14:30'
    if (start === undefined || end === undefined) {
      return setProblems({ ...(start === undefined && { from: unread }), ...(end === undefined && { to: unread }) })
    }
    if (end <= start) return setProblems({ to: 'Ends before it starts' })
    setProblems({})
    onTimes(new Date(start).toISOString(), new Date(end).toISOString())
  }
  return (
    <form className="flex w-60 flex-col gap-3 p-3" onSubmit={submit}>
      <TextField label="From" {...(problems.from !== undefined && { error: problems.from })} value={from} onChange={setFrom} />
      <TextField
        label="To"
        help={`${timeZone}. Also takes “2 days ago” or “now”.`}
        {...(problems.to !== undefined && { error: problems.to })}
        value={to}
        onChange={setTo}
      />
      <Button type="submit" variant="primary" className="self-end">
        Apply
      </Button>
    </form>
  )
}
