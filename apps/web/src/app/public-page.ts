/** The page that needs no session: where a public link to a trace leads, by its path on the server. */
export const publicPage = '/shared'
