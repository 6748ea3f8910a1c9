import { Copy, Database, Ellipsis, Trash2, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { type Parameters, parameterNames } from '../../features/playground/draft/draft.ts'
import { nameOfVariant } from '../../features/playground/draft/variants.ts'

interface Properties {
  at: number
  /** How its model is chosen. */
  model: ReactNode
  /** Its messages and parameters, above its answer. */
  children: ReactNode
  /** Undefined, as the two below, where there is nothing to do, and while variants run. */
  onCopy: (() => void) | undefined
  onSaveRow: () => void
  onFollow: (() => void) | undefined
  onRemove: (() => void) | undefined
}

/** One variant: its model, its messages and parameters, and below them its answer. */
export function VariantPane({ at, model, children, onCopy, onSaveRow, onFollow, onRemove }: Properties) {
  const name = nameOfVariant(at)
  return (
    <section aria-label={`Variant ${name}`} className="flex min-h-0 min-w-0 flex-col not-first:border-l not-first:border-line">
      <div className="flex min-h-12 shrink-0 items-center gap-2 border-b border-line px-3 py-2">
        <span aria-hidden className="inline-flex size-5 shrink-0 items-center justify-center rounded-sm bg-active text-2xs font-semibold">
          {name}
        </span>
        {model}
        <Menu label={`Variant ${name}`} trigger={<IconButton label={`Actions of variant ${name}`} icon={Ellipsis} />}>
          {onCopy && (
            <MenuItem icon={Copy} onClick={onCopy}>
              Duplicate
            </MenuItem>
          )}
          <MenuItem icon={Database} onClick={onSaveRow}>
            Save as row…
          </MenuItem>
          {onFollow && (
            <MenuItem icon={Undo2} onClick={onFollow}>
              Use messages of A
            </MenuItem>
          )}
          {onRemove && (
            <>
              <MenuSeparator />
              <MenuItem icon={Trash2} danger onClick={onRemove}>
                Remove
              </MenuItem>
            </>
          )}
        </Menu>
      </div>
      <div className="min-h-0 grow overflow-auto">{children}</div>
    </section>
  )
}

const titles: Record<keyof Parameters, string> = {
  temperature: 'Temperature',
  top_p: 'Top p',
  max_tokens: 'Max tokens',
  seed: 'Seed',
}

/** Parameters as numbers that are typed: an empty one is left to the model. */
export const ParameterFields = ({ parameters, onChange }: { parameters: Parameters; onChange: (parameters: Parameters) => void }) => (
  <div className="grid max-w-2xl grid-cols-[repeat(auto-fill,minmax(max(10rem,34%),1fr))] gap-x-6 gap-y-2 rounded-lg border border-line p-3">
    {parameterNames.map((parameter) => (
      <label key={parameter} className="flex min-w-0 items-center gap-2 text-xs text-fg-2">
        <span className="min-w-0 grow truncate">{titles[parameter]}</span>
        <span className="field flex h-7 w-16 shrink-0 items-center px-2">
          <input
            inputMode="decimal"
            placeholder="Default"
            className="num w-full min-w-0 bg-transparent text-right outline-none"
            value={parameters[parameter]}
            onChange={({ target }) => onChange({ ...parameters, [parameter]: target.value })}
          />
        </span>
      </label>
    ))}
  </div>
)
