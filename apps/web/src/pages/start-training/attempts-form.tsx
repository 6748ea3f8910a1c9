import { useQuery } from '@tanstack/react-query'
import { SlidersHorizontal, X } from 'lucide-react'
import { useState } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Fold } from '../../ui/fold.tsx'
import { ConditionChips } from '../../features/calls/conditions/condition-chips.tsx'
import { ChoiceField } from './choice-field.tsx'
import { groupings, rewards } from './choices.ts'
import { scorerNamesQuery } from './start-queries.ts'
import { defaultTraces, maxTraces, type StartSearch } from './start-search.ts'

interface Properties {
  settings: StartSearch
  change: (part: StartSearch) => void
}

/** Which attempts are learned from, in which groups, and the source of their rewards. */
export function AttemptsForm({ settings, change }: Properties) {
  const project = useProject()
  const scorers = useQuery(scorerNamesQuery(project))
  // Settings of the address are visible initially.
  const [isOpen] = useState(() =>
    [settings.op, settings.policy, settings.rate, settings.traces, settings.failed, settings.logprobs].some((one) => one !== undefined),
  )
  const { where = [], group = 'recorded', reward = 'recorded' } = settings
  return (
    <div className="flex flex-col gap-4">
      {(where.length > 0 || settings.filter !== undefined) && (
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-xs font-medium text-fg-2">Traces with</span>
          <ConditionChips search={{ where }} change={(part) => change({ where: part.where })} />
          {settings.filter !== undefined && (
            <Button
              trailing={X}
              aria-label={`Remove the filter ${settings.filter}`}
              className="max-w-full"
              onClick={() => change({ filter: undefined })}
            >
              <span className="min-w-0 truncate">{settings.filter}</span>
            </Button>
          )}
        </div>
      )}
      <ChoiceField label="Groups" choices={groupings} value={group} onChange={(next) => change({ group: next })} />
      <ChoiceField
        label="Reward"
        choices={rewards}
        value={reward}
        known={(reward.startsWith('scorer:') && scorers.data) || []}
        onChange={(next) => change({ reward: next })}
        help={
          <>
            A model can judge groups: <code>heddle train from-traces --reward ruler</code>
          </>
        }
      />
      <Fold icon={SlidersHorizontal} title="More settings" isOpenAtFirst={isOpen}>
        <MoreSettings settings={settings} change={change} />
      </Fold>
    </div>
  )
}

function MoreSettings({ settings, change }: Properties) {
  const text = (name: 'op' | 'policy' | 'rate', label: string, placeholder: string, help: string) => (
    <TextField
      label={label}
      optional
      help={help}
      placeholder={placeholder}
      value={settings[name] ?? ''}
      onChange={(next) => change({ [name]: next === '' ? undefined : next })}
    />
  )
  return (
    <div className="flex flex-col gap-4 py-1">
      {text(
        'op',
        'Attempt',
        'answer',
        'Op or span whose calls are the attempts. Default: recorded trajectories, rows of evaluations, traces.',
      )}
      {text('policy', 'Policy', 'entity/project/model', 'Model whose answers are learned. Default: every model.')}
      {text('rate', 'Learning rate', '0.0001', 'Default: that of the base model.')}
      <TextField
        label="Traces"
        help="Maximum to read, oldest first"
        type="number"
        min={1}
        max={maxTraces}
        value={settings.traces ?? defaultTraces}
        onChange={(next) => change({ traces: Number(next) || undefined })}
      />
      <div className="flex flex-col gap-1">
        <Checkbox
          label="Include failed attempts"
          checked={settings.failed === 'keep'}
          onChange={(isOn) => change({ failed: isOn ? 'keep' : undefined })}
        />
        <Checkbox
          label="Include attempts without log-probabilities"
          checked={settings.logprobs === 'without'}
          onChange={(isOn) => change({ logprobs: isOn ? 'without' : undefined })}
        />
      </div>
    </div>
  )
}
