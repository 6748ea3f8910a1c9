export { delimiterOf, detectSeparator, type Separator, separators, separatorTitles } from './csv-separator.ts'
export { createEncodingDetector, decodeText, detectEncoding, type Encoding, encodings, encodingTitles } from './text-encoding.ts'
