import { Wrench } from 'lucide-react'
import { useState } from 'react'
import { countText } from '../../lib/texts/count-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Textarea } from '../../ui/field.tsx'
import { countTools } from '../../features/playground/draft/draft.ts'
import type { Variables } from '../../features/playground/draft/variables.ts'

interface Properties {
  names: readonly string[]
  values: Variables
  onValues: (values: Variables) => void
  /** JSON list; empty for none. */
  tools: string
  onTools: (tools: string) => void
}

/** What all variants share: the values of variables, and tools. */
export function VariablesBar({ names, values, onValues, tools, onTools }: Properties) {
  return (
    <div className="flex min-h-12 shrink-0 flex-wrap items-center gap-2 border-b border-line bg-sunken px-4 py-2">
      <span className="text-xs font-medium text-fg-2">Variables</span>
      {names.length === 0 && <span className="text-xs text-fg-3">Write {'{{name}}'} in a message</span>}
      {names.map((name) => (
        <label key={name} className="field flex h-7 items-center overflow-hidden text-xs">
          <span className="mono border-r border-line px-2 text-fg-3">{name}</span>
          <input
            className="mono w-28 bg-transparent px-2 outline-none"
            value={Object.hasOwn(values, name) ? values[name] : ''}
            onChange={({ target }) => onValues({ ...values, [name]: target.value })}
          />
        </label>
      ))}
      <span className="grow" />
      <Tools tools={tools} onTools={onTools} />
    </div>
  )
}

function Tools({ tools, onTools }: Pick<Properties, 'tools' | 'onTools'>) {
  const [isOpen, setIsOpen] = useState(false)
  const count = countTools(tools)
  return (
    <>
      <Button icon={Wrench} onClick={() => setIsOpen(true)}>
        {count === undefined ? 'Tools' : countText(count, 'tool')}
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title="Tools"
        width="w-[640px]"
        footer={
          <Button size="md" variant="primary" onClick={() => setIsOpen(false)}>
            Done
          </Button>
        }
      >
        <Field label="Tools, a JSON list">
          {(ids) => (
            <Textarea
              {...ids}
              className="mono"
              rows={14}
              value={tools}
              placeholder={'[{"type": "function", "function": {"name": "find", "parameters": {}}}]'}
              onChange={({ target }) => onTools(target.value)}
            />
          )}
        </Field>
      </Dialog>
    </>
  )
}
