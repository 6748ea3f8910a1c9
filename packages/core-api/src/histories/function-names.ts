/** The name of a function in chat completions, which know no namespaces; `namespace` null: it is in none. */
export const functionNameIn = (namespace: string | null, name: string): string => (namespace === null ? name : `${namespace}__${name}`)
