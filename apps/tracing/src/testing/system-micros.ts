/** Microseconds since 1970, by the clock of this machine. */
export const micros = () => Date.now() * 1000
