/** Names of span kinds, by number. */
export const spanKinds = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'] as const

/** Names of status codes, by number. */
export const statusCodes = ['UNSET', 'OK', 'ERROR'] as const
