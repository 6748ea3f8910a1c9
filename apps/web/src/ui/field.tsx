import { Check, CircleAlert, Minus, type LucideIcon } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react'
import { cx } from '../lib/cx.ts'

/** Label above, help below, replaced by an error. */
export function Field({
  label,
  help,
  error,
  optional,
  children,
  className,
}: {
  label: string
  help?: ReactNode
  error?: string | undefined
  optional?: boolean | undefined
  children: (ids: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean | undefined }) => ReactNode
  className?: string | undefined
}) {
  const id = useId()
  const note = error || help ? `${id}-note` : undefined
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 flex items-center gap-1.5 text-xs font-medium text-fg-2">
        {label}
        {optional && <span className="font-normal text-fg-3">Optional</span>}
      </label>
      {children({ id, 'aria-describedby': note, 'aria-invalid': error ? true : undefined })}
      {error ? (
        <p id={note} role="alert" className="mt-1 flex items-center gap-1 text-xs text-red-text">
          <CircleAlert size={13} aria-hidden />
          {error}
        </p>
      ) : (
        help && (
          <p id={note} className="mt-1 text-xs text-fg-3">
            {help}
          </p>
        )
      )}
    </div>
  )
}
interface InputProperties extends ComponentProps<'input'> {
  icon?: LucideIcon
  unit?: string
  /** As high as the selects and buttons of a toolbar. */
  compact?: boolean
}
export function Input({ icon: Icon, unit, compact = false, className, ...rest }: InputProperties) {
  return (
    <span className={cx('field flex items-center gap-2 px-2.5', compact ? 'h-7' : 'h-8', className)}>
      {Icon && <Icon size={14} aria-hidden className="text-fg-3" />}
      <input {...rest} className="num w-full min-w-0 bg-transparent outline-none" />
      {unit && <span className="shrink-0 whitespace-nowrap text-fg-3">{unit}</span>}
    </span>
  )
}
export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...rest} className={cx('field block w-full px-2.5 py-1.5', className)} />
}
export function Checkbox({
  label,
  hideLabel,
  checked,
  mixed,
  onChange,
  disabled,
}: {
  label: string
  hideLabel?: boolean
  checked: boolean
  mixed?: boolean
  /** Called with whether it is on, and whether Shift was held. */
  onChange?: (on: boolean, isShift: boolean) => void
  disabled?: boolean
}) {
  const ref = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (ref.current) ref.current.indeterminate = !!mixed
  }, [mixed])
  return (
    <label className="inline-flex min-h-6 min-w-6 items-center gap-2 whitespace-nowrap has-disabled:opacity-50">
      <span className="relative inline-flex size-4 shrink-0">
        {/* Large enough for a finger; the box is drawn below it. */}
        <input
          ref={ref}
          type="checkbox"
          checked={checked}
          disabled={disabled}
          onChange={({ target, nativeEvent }) => onChange?.(target.checked, (nativeEvent as MouseEvent).shiftKey)}
          aria-label={hideLabel ? label : undefined}
          className="peer absolute -inset-1 z-1 m-0 size-6 appearance-none opacity-0"
        />
        <span
          aria-hidden
          className={cx(
            'inline-flex size-4 items-center justify-center rounded-sm border text-sheet peer-focus-visible:outline-2 peer-focus-visible:outline-offset-1 peer-focus-visible:outline-accent',
            checked || mixed ? 'border-accent bg-accent' : 'border-control bg-sheet peer-hover:bg-hover peer-active:bg-active',
          )}
        >
          {mixed ? <Minus size={12} strokeWidth={3} /> : checked && <Check size={12} strokeWidth={3} />}
        </span>
      </span>
      {!hideLabel && label}
    </label>
  )
}
export function Switch({
  label,
  help,
  checked,
  onChange,
}: {
  label: string
  help?: ReactNode
  checked: boolean
  onChange?: (on: boolean) => void
}) {
  const id = useId()
  return (
    <div className="flex items-start gap-3">
      <span className="relative mt-0.5 inline-flex h-[18px] w-[30px] shrink-0">
        <input
          id={id}
          type="checkbox"
          role="switch"
          checked={checked}
          onChange={(e) => onChange?.(e.target.checked)}
          aria-describedby={help ? `${id}-help` : undefined}
          className="peer absolute inset-0 appearance-none rounded-full border border-control bg-control transition-colors not-checked:hover:border-fg-3 not-checked:hover:bg-fg-3 checked:border-accent checked:bg-accent"
        />
        <span
          aria-hidden
          className="pointer-events-none absolute top-[3px] left-[3px] size-3 rounded-full bg-sheet transition-transform peer-checked:translate-x-3"
        />
      </span>
      <label htmlFor={id} className="text-fg-2">
        <span className="font-medium">{label}</span>
        {help && (
          <span id={`${id}-help`} className="block text-xs text-fg-3">
            {help}
          </span>
        )}
      </label>
    </div>
  )
}
/** A native range: arrow keys, Page Up and Page Down, Home and End for free. The value is shown next to it, never only in the thumb. */
export function Slider({
  label,
  value,
  min,
  max,
  step,
  onChange,
  format = String,
  compact,
}: {
  label: string
  value: number
  min: number
  max: number
  step: number
  onChange?: (n: number) => void
  format?: (n: number) => string
  compact?: boolean
}) {
  const id = useId()
  return (
    <div className={cx(compact && 'flex items-center gap-2')}>
      <div className="flex justify-between gap-3 text-xs">
        <label htmlFor={id} className={compact ? 'text-fg-3' : 'font-medium text-fg-2'}>
          {label}
        </label>
        {!compact && (
          <output htmlFor={id} className="num text-fg-2">
            {format(value)}
          </output>
        )}
      </div>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        onChange={(e) => onChange?.(Number(e.target.value))}
        className={cx('slider h-6', compact ? 'w-20' : 'w-full')}
      />
      {compact && (
        <output htmlFor={id} className="num w-7 text-xs">
          {format(value)}
        </output>
      )}
    </div>
  )
}
