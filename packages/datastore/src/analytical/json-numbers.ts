/** Pattern that splits JSON text into strings, numbers and what lies between. */
export const jsonTokens = '"(?:[^"\\\\]|\\\\.)*"|-?[0-9][0-9.eE+-]*|[^"0-9-]+'

/** Pattern of numbers that may be beyond 64 bits: the engine's parser refuses a whole document for one of them. */
export const hugeNumber = '^-?[0-9][0-9.]{17}[0-9.]|[eE][+]?[0-9]{3}'
