import type { ReactNode } from 'react'

/** The dash of a missing value. */
export const NoValue = () => <span className="text-fg-3">–</span>

/** A value, or the dash where it is undefined, null or an empty text. */
export const orNoValue = (value: ReactNode): ReactNode => (value === undefined || value === null || value === '' ? <NoValue /> : value)
