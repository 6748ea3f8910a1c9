/** Pattern that splits JSON text into strings, numbers and everything else. */
export const jsonTokens = '"(?:[^"\\\\]|\\\\.)*"|-?[0-9][0-9.eE+-]*|[^"0-9-]+'

/** Pattern of numbers that may exceed 64 bits: a single one makes the engine's parser reject the whole document. */
export const hugeNumber = '^-?[0-9][0-9.]{17}[0-9.]|[eE][+]?[0-9]{3}'
