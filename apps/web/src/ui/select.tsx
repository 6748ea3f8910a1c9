import { useId } from 'react'
import { LazyTrigger } from './lazy-trigger.tsx'
import { selectChunk } from './overlays.tsx'
import { SelectFace, selectLook, type SelectProps } from './select-face.tsx'

const Parts = selectChunk.part<SelectProps>((m) => m.Select)
export function Select(props: SelectProps) {
  const id = useId()
  const picked = props.choices.find((c) => c.value === props.value)
  return (
    <LazyTrigger
      open={props.open}
      popup="listbox"
      label={props.inside || props.hideLabel ? undefined : { id, text: props.label }}
      trigger={
        <button
          type="button"
          role="combobox"
          aria-label={props.label}
          aria-controls={id}
          disabled={props.disabled}
          className={selectLook(props.size ?? 'sm', props.className)}
        >
          <SelectFace label={props.label} inside={props.inside} icon={props.icon} picked={picked} />
        </button>
      }
    >
      {() => <Parts {...props} open />}
    </LazyTrigger>
  )
}
export type { Choice } from './select-face.tsx'
