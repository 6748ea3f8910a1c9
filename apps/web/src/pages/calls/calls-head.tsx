import { Radio } from 'lucide-react'
import { Suspense } from 'react'
import { useTimeZone } from '../../lib/time/use-time-zone.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/card.tsx'
import { DateRange } from '../../ui/date-range.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Segmented } from '../../ui/tabs.tsx'
import { callsOfTime } from '../../features/calls/calls-of-time.ts'
import { type Range, ranges } from '../../features/calls/calls-search.ts'
import { atAnyTime } from '../../features/calls/drawn-search.ts'
import { histogramBuckets } from '../../features/calls/histogram-buckets.ts'
import type { CallsMenuProperties } from './calls-menu.tsx'
import { loadAroundList } from './load-around-list.ts'
import { rangeTitles } from './range-titles.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'

const CallsMenu = lazyPart(() => loadAroundList().then(({ CallsMenu }) => CallsMenu))

const anyTime = 'any'
const presets = [
  { value: anyTime, label: 'All time' },
  ...ranges.map((range) => ({ value: range, label: `Last ${rangeTitles[range]}`, short: range })),
]
const levels = [
  { value: 'roots', label: 'Traces' },
  { value: 'all', label: 'All spans' },
]

/** Which rows are listed, their time range, and the actions of the list. */
export function CallsHead({ search, change, ...actions }: CallsMenuProperties) {
  return (
    <PageHead
      title="Traces"
      actions={
        <>
          <Segmented
            label="Rows"
            value={search.level ?? 'roots'}
            items={levels}
            onChange={(value) => change({ level: value === 'all' ? 'all' : undefined })}
          />
          <TimeChoice search={search} change={change} />
          <Button
            icon={Radio}
            aria-pressed={search.live === 'on'}
            className="aria-pressed:border-accent-line aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
            onClick={() => change({ live: search.live === 'on' ? undefined : 'on' })}
          >
            Live
          </Button>
          <Suspense fallback={<Skeleton className="size-7" />}>
            <CallsMenu search={search} change={change} {...actions} />
          </Suspense>
        </>
      }
    />
  )
}

/** Selects a time range; by default the strip shows one, and the list has all rows. */
function TimeChoice({ search, change }: Pick<CallsMenuProperties, 'search' | 'change'>) {
  const timeZone = useTimeZone()
  const { range, where = [] } = search
  const times = where.filter(({ path }) => path === 'started_at')
  const [since] = times
  const isRange = range !== undefined && times.length === 1 && since?.operator === '>='
  const value = times.length === 0 ? anyTime : isRange ? range : undefined
  function choose(preset: string) {
    const others = atAnyTime(where)
    const chosen = ranges.find((known) => known === preset)
    if (chosen === undefined) return change({ where: others.length > 0 ? others : undefined })
    change({ range: chosen, where: [...others, { path: 'started_at', operator: '>=', value: startOf(chosen, timeZone) }] })
  }
  return (
    <DateRange
      presets={presets}
      value={value}
      label={presets.find((preset) => preset.value === value)?.label ?? 'Custom'}
      timeZone={timeZone}
      onPreset={choose}
      onTimes={(startedAt, endedAt) => change({ where: [...atAnyTime(where), ...callsOfTime({ startedAt, endedAt })] })}
    />
  )
}

const startOf = (range: Range, timezone: string) => histogramBuckets({ range, timezone }, Date.now()).start
