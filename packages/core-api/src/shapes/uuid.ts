const form = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** True for a UUID of any version, in lower case. */
export const isUuid = (text: string): boolean => form.test(text)
