import type { TrainingPlan } from '@heddle/agent-instrumentation/from-traces'
import type { ReactNode } from 'react'

type Reason = TrainingPlan['refused'][number]['reason']

/** What a person can do about attempts that are left out. */
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

const count = (value: number, one: string, many: string) => `${value.toLocaleString('en')} ${value === 1 ? one : many}`

/** What a job would learn from, before it is started; what follows from it stands before the figures, so that it is in sight. */
export function TrainingReport({ plan, children }: { plan: TrainingPlan; children: ReactNode }) {
  const { rewards, logprobs } = plan
  const facts: [string, string][] = [
    ['Traces read', plan.traces.toLocaleString('en')],
    ['Groups', `${plan.groups.toLocaleString('en')} to learn from`],
    ['Attempts', `${plan.trajectories.toLocaleString('en')}${sizesText(plan)}`],
    ['Reward', rewards ? `mean ${rewards.mean}, from ${rewards.min} to ${rewards.max}, deviation ${rewards.std_dev}` : 'no data'],
    ['Tokens', plan.tokens === 0 ? 'not counted by the traces' : plan.tokens.toLocaleString('en')],
    ['Log-probabilities', `${logprobs.complete} complete, ${logprobs.partial} partial, ${logprobs.none} none`],
    ['Gradient steps', plan.estimated_steps === null ? 'not known, since tokens were not counted' : `about ${plan.estimated_steps}`],
  ]
  return (
    <section aria-label="Report">
      <h2>What it would learn from</h2>
      {plan.groups === 0 && <p className="problem">There is nothing to learn from. Why attempts were left out stands below.</p>}
      {plan.warnings.map((warning) => (
        <p key={warning} className="notice">
          {warning}
        </p>
      ))}
      {children}
      <dl className="metrics">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {plan.refused.length > 0 && (
        <table>
          <caption>Attempts that are left out</caption>
          <thead>
            <tr>
              <th scope="col">Reason</th>
              <th scope="col" className="number">
                Attempts
              </th>
              <th scope="col">What to do</th>
            </tr>
          </thead>
          <tbody>
            {plan.refused.map(({ reason, attempts }) => (
              <tr key={reason}>
                <th scope="row">{reason}</th>
                <td className="number">{attempts.toLocaleString('en')}</td>
                <td>{ways[reason] ?? ''}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function sizesText({ group_sizes }: TrainingPlan): string {
  const parts = Object.entries(group_sizes).map(([size, groups]) => `${count(groups, 'group', 'groups')} of ${size}`)
  return parts.length === 0 ? '' : ` in ${parts.join(', ')}`
}
