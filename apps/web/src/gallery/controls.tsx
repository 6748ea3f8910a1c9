import { Download, ListTree, Plus, Search, Trash2, Waves } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Checkbox, Field, Input, Slider, Switch, Textarea } from '../ui/field.tsx'
import { KeyHint } from '../ui/key-hint.tsx'
import { FormSelect } from '../ui/form-select.tsx'
import { MarkedTextarea } from '../ui/marked-textarea.tsx'
import { Radios } from '../ui/radios.tsx'
import { Segmented, Tabs } from '../ui/tabs.tsx'
import { Links } from './links.tsx'
import { Section } from './section.tsx'

const variants = ['primary', 'secondary', 'ghost', 'danger'] as const
const sizes = ['sm', 'md', 'lg'] as const

export function Controls() {
  const [chosen, setChosen] = useState('timeline')
  const [checked, setChecked] = useState(true)
  const [answer, setAnswer] = useState('yes')
  const [tone, setTone] = useState('4')
  const [order, setOrder] = useState('oldest')
  const [smoothing, setSmoothing] = useState(0.8)
  return (
    <>
      <Section title="Buttons">
        {variants.map((variant) => (
          <div key={variant} className="flex w-full flex-wrap items-center gap-2">
            {sizes.map((size) => (
              <Button key={size} variant={variant} size={size} icon={Plus}>
                New run
              </Button>
            ))}
            <Button variant={variant} keys="mod+enter">
              Run
            </Button>
            <Button variant={variant} loading>
              Saving
            </Button>
            <Button variant={variant} disabled>
              Disabled
            </Button>
          </div>
        ))}
        <IconButton label="Download" icon={Download} />
        <IconButton label="Delete" icon={Trash2} variant="secondary" size="md" />
        <CopyButton text="649d21ed03789e6e" label="Copy ID" />
        <KeyHint keys="mod+k" />
      </Section>
      <Links />
      <Section title="Fields">
        <Field label="Name" help="Shown in lists" className="w-60">
          {(ids) => <Input {...ids} defaultValue="support-agent" />}
        </Field>
        <Field label="Expires in" optional error="At most 365 days" className="w-60">
          {(ids) => <Input {...ids} defaultValue="900" unit="days" />}
        </Field>
        <Field label="Search" className="w-60">
          {(ids) => <Input {...ids} icon={Search} placeholder="Filter or search…" />}
        </Field>
        <Field label="Instructions" className="w-60">
          {(ids) => <Textarea {...ids} rows={3} defaultValue="Answer in one sentence." />}
        </Field>
        <Field label="Prompt" className="w-60">
          {(ids) => (
            <MarkedTextarea
              {...ids}
              readOnly
              value="Answer {{question}} in one sentence."
              marked={
                <>
                  Answer <span className="rounded-xs bg-accent-soft ring-1 ring-accent-line">{'{{question}}'}</span> in one sentence.
                </>
              }
            />
          )}
        </Field>
      </Section>
      <Section title="Choices">
        <Checkbox label="Errors" checked={checked} onChange={setChecked} />
        <Checkbox label="Some rows" checked={false} mixed />
        <Checkbox label="Disabled" checked={false} disabled />
        <Switch label="Live" help="New traces appear at the top" checked={checked} onChange={setChecked} />
        <div className="w-60">
          <Slider
            label="Smoothing"
            value={smoothing}
            min={0}
            max={0.99}
            step={0.01}
            onChange={setSmoothing}
            format={(value) => value.toFixed(2)}
          />
        </div>
        <fieldset className="w-60">
          <legend className="mb-2 font-medium">Is the answer correct?</legend>
          <Radios
            choices={[
              { value: 'yes', label: 'Yes', keys: '1' },
              { value: 'no', label: 'No', keys: '2' },
            ]}
            value={answer}
            onChange={setAnswer}
          />
        </fieldset>
        <fieldset className="w-60">
          <legend className="mb-2 font-medium">Tone</legend>
          <Radios isScale choices={['1', '2', '3', '4', '5'].map((value) => ({ value, label: value }))} value={tone} onChange={setTone} />
        </fieldset>
        <FormSelect
          label="Order"
          choices={[
            { value: 'oldest', label: 'Oldest first' },
            { value: 'newest', label: 'Newest first' },
          ]}
          value={order}
          onChange={setOrder}
        />
        <Segmented
          label="View"
          value={chosen}
          onChange={setChosen}
          items={[
            { value: 'timeline', label: 'Timeline', icon: ListTree },
            { value: 'flame', label: 'Flame', icon: Waves },
          ]}
        />
      </Section>
      <Section title="Tabs">
        <div className="w-full">
          <Tabs
            label="Details"
            value={chosen}
            onChange={setChosen}
            tabs={[
              { id: 'timeline', label: 'Messages', count: 4 },
              { id: 'flame', label: 'Attributes' },
            ]}
          >
            <p className="p-4">{chosen === 'timeline' ? 'Four messages' : 'No attributes'}</p>
          </Tabs>
        </div>
      </Section>
    </>
  )
}
