/** Paths that clients of model providers request when their base URL lacks `/v1`. */
export const unversionedPaths: readonly string[] = ['/chat/completions', '/completions', '/responses', '/messages', '/embeddings']
