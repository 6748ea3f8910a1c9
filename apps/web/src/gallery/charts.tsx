import { Bars } from '../plot/bars.tsx'
import { Distribution } from '../plot/distribution.tsx'
import { Forest } from '../plot/forest.tsx'
import { ChartFrame, type Series } from '../plot/frame.tsx'
import { Lines } from '../plot/lines.tsx'
import { Spark } from '../plot/spark.tsx'
import { Strip } from '../plot/strip.tsx'

const steps = Array.from({ length: 240 }, (_, step) => step)
const reward = steps.map((step) => 0.3 + 0.6 * (1 - Math.exp(-step / 80)) + 0.05 * Math.sin(step * 1.7))
const baseline = steps.map((step) => 0.35 + 0.03 * Math.sin(step / 5))
const smoothed = reward.map((_, step) => 0.3 + 0.6 * (1 - Math.exp(-step / 80)))
const days = Array.from({ length: 14 }, (_, day) => day)
const outcomes: Series[] = [
  { id: 'ok', name: 'Succeeded', color: 'var(--s1)' },
  { id: 'failed', name: 'Failed', color: 'var(--red)' },
]
const runs: Series[] = [
  { id: 'candidate', name: 'Candidate', color: 'var(--s1)' },
  { id: 'baseline', name: 'Baseline', color: 'var(--s8)', dash: '5 3' },
]
const perDay = days.map((day) => ({
  label: `Nov ${day + 1}`,
  tip: `Nov ${day + 1}`,
  values: { ok: 700 + 60 * (day % 5), failed: 10 + 3 * (day % 4) },
}))
const table = (header: string, rows: (string | number)[][]) => ({ columns: [header, ...runs.map(({ name }) => name)], rows })

export function Charts() {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <ChartFrame
        title="Reward"
        legend={runs}
        height={220}
        table={table(
          'Step',
          steps.map((step) => [step, reward[step]!.toFixed(3), baseline[step]!.toFixed(3)]),
        )}
      >
        <Lines
          label="Reward by step: the candidate rises from 0.30 to 0.87, the baseline stays at 0.35"
          height={220}
          xName="Step"
          format={(value) => value.toFixed(1)}
          series={[
            { ...runs[0]!, values: reward, smooth: smoothed },
            { ...runs[1]!, values: baseline },
          ]}
        />
      </ChartFrame>
      <ChartFrame
        title="Traces"
        value="11,480"
        legend={outcomes}
        height={220}
        table={{ columns: ['Day', 'Succeeded', 'Failed'], rows: perDay.map(({ label, values }) => [label, values.ok, values.failed]) }}
      >
        <Bars label="Traces a day, about 800, of which 15 failed" height={220} points={perDay} series={outcomes} />
      </ChartFrame>
      <ChartFrame
        title="Scores against the baseline"
        height={140}
        table={{
          columns: ['Score', 'Difference'],
          rows: [
            ['correct', '+0.12'],
            ['helpful', '+0.01'],
          ],
        }}
      >
        <Forest
          label="Differences from the baseline: correct is better, helpful may be chance"
          domain={[-0.2, 0.3]}
          format={(value) => value.toFixed(1)}
          rows={[
            { id: 'correct', name: 'correct', note: '240 rows', value: 0.12, low: 0.05, high: 0.19, text: '▲ +0.12', good: 'up' },
            { id: 'helpful', name: 'helpful', note: '240 rows', value: 0.01, low: -0.04, high: 0.06, text: '▲ +0.01', good: 'up' },
          ]}
        />
      </ChartFrame>
      <ChartFrame
        title="Score"
        legend={runs}
        height={140}
        table={table(
          'Bin',
          [0, 1, 2, 3, 4].map((bin) => [bin, bin * 3, 12 - bin * 2]),
        )}
      >
        <Distribution
          label="Scores of 240 rows in five bins"
          height={140}
          series={runs}
          bins={[
            [0, 3, 6, 9, 12],
            [12, 10, 8, 6, 4],
          ]}
        />
      </ChartFrame>
      <ChartFrame title="Cost" state="loading" height={140} table={{ columns: ['Day', 'Cost'], rows: [] }}>
        {null}
      </ChartFrame>
      <ChartFrame title="Feedback" state="empty" height={140} table={{ columns: ['Day', 'Feedback'], rows: [] }}>
        {null}
      </ChartFrame>
      <div className="rounded-lg border border-line bg-sheet p-4">
        <Strip
          label="Traces over time, 14 slices"
          points={perDay.map(({ tip, values }) => ({ ok: values.ok, error: values.failed, tip }))}
        />
        <Spark label="Reward, rising" values={smoothed} />
      </div>
    </div>
  )
}
