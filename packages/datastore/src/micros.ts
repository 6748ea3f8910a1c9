/** Microseconds since 1970-01-01 UTC; exact up to the year 2255. */
export type Micros = number
