import { LoaderCircle, type LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { KeyHint } from './key-hint.tsx'
import { Tooltip } from './tooltip.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
export type ButtonSize = 'sm' | 'md' | 'lg'
const variants: Record<ButtonVariant, string> = {
  primary: 'bg-ink text-ink-fg shadow-sm [--on-hover:var(--ink-hover)] [--on-press:var(--ink)]',
  secondary:
    'bg-sheet text-fg border border-line-2 shadow-sm aria-pressed:border-accent-line aria-pressed:bg-selected aria-pressed:text-accent-text',
  ghost: 'text-fg-2 hover:text-fg aria-pressed:bg-active aria-pressed:text-fg',
  danger:
    'bg-red-soft text-red-text border border-red-line hover:border-red active:border-red-text [--on-hover:var(--red-soft)] [--on-press:var(--red-soft)]',
}
const sizes: Record<ButtonSize, string> = { sm: 'h-7 px-2 gap-1.5', md: 'h-8 px-3 gap-2', lg: 'h-9 px-4 gap-2 text-base' }
const base = 'pressable relative inline-flex shrink-0 items-center justify-center rounded-md font-medium whitespace-nowrap select-none'

/** The classes of a button, for what looks like one. */
export const buttonLook = (variant: ButtonVariant, size: ButtonSize, className?: string) =>
  cx(base, variants[variant], sizes[size], className)

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: LucideIcon
  trailing?: LucideIcon
  keys?: string
  loading?: boolean
}
export function Button({
  variant = 'secondary',
  size = 'sm',
  icon: Icon,
  trailing: Trailing,
  keys,
  loading,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || loading}
      aria-busy={loading || undefined}
      className={buttonLook(variant, size, className)}
    >
      {loading ? (
        // Instead of the icon, or over the text, so that the width stays.
        <LoaderCircle size={14} className={cx('spin', !Icon && 'absolute')} aria-hidden />
      ) : (
        Icon && <Icon size={14} strokeWidth={1.75} aria-hidden className={variant === 'secondary' ? 'text-fg-3' : undefined} />
      )}
      {loading && !Icon ? <span className="opacity-0">{children}</span> : children}
      {Trailing && <Trailing size={14} strokeWidth={1.75} aria-hidden className="-mr-0.5 opacity-70" />}
      {keys && <KeyHint keys={keys} inverse={variant === 'primary'} />}
    </button>
  )
}

/** A button of one icon. Its label is its name and its tooltip. */
export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  label: string
  icon: LucideIcon
  keys?: string
  variant?: ButtonVariant
  size?: ButtonSize
  badge?: ReactNode
}
export function IconButton({ label, icon: Icon, keys, variant = 'ghost', size = 'sm', className, badge, ...rest }: IconButtonProps) {
  const square = { sm: 'size-7', md: 'size-8', lg: 'size-9' }[size]
  return (
    <Tooltip text={label} keys={keys}>
      <button type="button" aria-label={label} {...rest} className={cx(base, variants[variant], square, className)}>
        <Icon size={15} strokeWidth={1.75} aria-hidden />
        {badge}
      </button>
    </Tooltip>
  )
}
