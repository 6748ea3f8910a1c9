import type { TrainingPlan } from '@heddle/agent-instrumentation/from-traces'
import type { ReactNode } from 'react'
import { countText } from '../../lib/texts/count-text.ts'
import { Card, Facts } from '../../ui/card.tsx'
import { type ListColumn, ListTable } from '../../ui/list-table.tsx'
import { Notice } from '../../ui/notice.tsx'
import { numberColumn, textColumn } from '../../ui/table/column-kinds.tsx'

type Reason = TrainingPlan['refused'][number]['reason']

/** Remedies for excluded attempts. */
const ways: Partial<Record<Reason, string>> = {
  'no log-probabilities': 'Learn from attempts without log-probabilities, or have the client ask for them.',
  'no reward': 'Choose another source of the reward.',
  'no group': 'Choose another grouping.',
  'only one attempt': 'A group needs at least two attempts at the same task: try each task several times, or group otherwise.',
  'equal rewards': 'What all attempts earn alike teaches nothing.',
  'no model call': 'Name the op or span that holds the model calls.',
  'no choice of the policy': 'No answer in it came from the model whose answers are learned.',
  failed: 'Attempts that failed can be learned from too.',
  'too long': 'The base model takes no conversation of this length.',
}

/** The training data of a job before it is started; the start button is in its header. */
export function TrainingReport({ plan, failure, children }: { plan: TrainingPlan; failure: ReactNode; children: ReactNode }) {
  const { rewards, logprobs } = plan
  const facts: [string, string][] = [
    ['Traces read', plan.traces.toLocaleString('en')],
    ['Groups', `${plan.groups.toLocaleString('en')} to learn from`],
    ['Attempts', `${plan.trajectories.toLocaleString('en')}${sizesText(plan)}`],
    ['Reward', rewards ? `mean ${rewards.mean}, from ${rewards.min} to ${rewards.max}, deviation ${rewards.std_dev}` : '–'],
    ['Tokens', plan.tokens === 0 ? 'Not counted' : plan.tokens.toLocaleString('en')],
    ['Log-probabilities', `${logprobs.complete} complete, ${logprobs.partial} partial, ${logprobs.none} none`],
    ['Gradient steps', plan.estimated_steps === null ? 'Not known: tokens were not counted' : `about ${plan.estimated_steps}`],
  ]
  return (
    <section aria-label="Report" className="flex flex-col gap-4">
      {plan.groups === 0 && <Notice tone="warning" title="There is nothing to learn from" />}
      {plan.warnings.map((warning) => (
        <Notice key={warning} tone="warning" title={warning} />
      ))}
      {failure}
      <Card title="Report" actions={children}>
        <Facts wide rows={facts} />
      </Card>
      {plan.refused.length > 0 && (
        <Card title="Left out" flush>
          <ListTable label="Left out" rows={plan.refused} columns={refusedColumns} rowId={({ reason }) => reason} />
        </Card>
      )}
    </section>
  )
}

const refusedColumns: ListColumn<TrainingPlan['refused'][number]>[] = [
  textColumn('reason', 'Reason', '176px', ({ reason }) => reason),
  numberColumn('attempts', 'Attempts', '88px', ({ attempts }) => attempts),
  textColumn('way', 'What to do', 'auto', ({ reason }) => ways[reason], { look: 'quiet' }),
]

function sizesText({ group_sizes }: TrainingPlan): string {
  const parts = Object.entries(group_sizes).map(([size, groups]) => `${countText(groups, 'group')} of ${size}`)
  return parts.length === 0 ? '' : ` in ${parts.join(', ')}`
}
