import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useProject } from '../../app/use-project.ts'
import { WhereButtons } from '../calls/filter/where-buttons.tsx'
import { ChoiceField } from './choice-field.tsx'
import { groupings, rewards } from './choices.ts'
import { scorerNamesQuery } from './start-queries.ts'
import { defaultTraces, mostTraces, type StartSearch } from './start-search.ts'

interface Properties {
  settings: StartSearch
  change: (part: StartSearch) => void
}

/** Which attempts are learned from, in which groups, and where their rewards come from. */
export function AttemptsForm({ settings, change }: Properties) {
  const project = useProject()
  const scorers = useQuery(scorerNamesQuery(project))
  // Settings of the address are seen at once.
  const [isOpen] = useState(() =>
    [settings.op, settings.policy, settings.rate, settings.traces, settings.failed, settings.logprobs].some((one) => one !== undefined),
  )
  const { where = [], group = 'recorded', reward = 'recorded' } = settings
  return (
    <>
      {(where.length > 0 || settings.filter !== undefined) && (
        <div className="row">
          <span>Of the calls with</span>
          <WhereButtons where={where} change={(next) => change({ where: next })} />
          {settings.filter !== undefined && (
            <button type="button" aria-label={`Remove the filter ${settings.filter}`} onClick={() => change({ filter: undefined })}>
              {settings.filter} ×
            </button>
          )}
        </div>
      )}
      <ChoiceField
        id="grouping"
        label="Attempts at the same task have"
        choices={groupings}
        value={group}
        onChange={(next) => change({ group: next })}
      />
      <ChoiceField
        id="reward"
        label="Their reward is"
        choices={rewards}
        value={reward}
        known={(reward.startsWith('scorer:') && scorers.data) || []}
        onChange={(next) => change({ reward: next })}
      />
      <p className="muted">
        A model can judge the attempts of a group instead: <code>heddle train from-traces --reward ruler</code>
      </p>
      <details open={isOpen}>
        <summary>More settings</summary>
        <MoreSettings settings={settings} change={change} />
      </details>
    </>
  )
}

function MoreSettings({ settings, change }: Properties) {
  const text = (name: 'op' | 'policy' | 'rate', label: string, placeholder: string) => (
    <>
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        placeholder={placeholder}
        value={settings[name] ?? ''}
        onChange={({ target }) => change({ [name]: target.value === '' ? undefined : target.value })}
      />
    </>
  )
  return (
    <div className="fields">
      {text('op', 'Each call of this op or span is an attempt; empty: each recorded trajectory, row of an evaluation or trace', 'answer')}
      {text('policy', 'Only answers of this model are learned; empty: those of every model', 'entity/project/model')}
      {text('rate', 'Learning rate; empty: that of the base model', '0.0001')}
      <label htmlFor="traces">Traces that are read at most, the oldest first</label>
      <input
        id="traces"
        type="number"
        min={1}
        max={mostTraces}
        value={settings.traces ?? defaultTraces}
        onChange={({ target }) => change({ traces: Number(target.value) || undefined })}
      />
      <label>
        <input
          type="checkbox"
          checked={settings.failed === 'keep'}
          onChange={({ target }) => change({ failed: target.checked ? 'keep' : undefined })}
        />{' '}
        Learn from attempts that failed too
      </label>
      <label>
        <input
          type="checkbox"
          checked={settings.logprobs === 'without'}
          onChange={({ target }) => change({ logprobs: target.checked ? 'without' : undefined })}
        />{' '}
        Learn from attempts without log-probabilities too
      </label>
    </div>
  )
}
