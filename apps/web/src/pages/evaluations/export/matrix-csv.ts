import Papa from 'papaparse'
import { type ExportedMatrix, toFlatRows } from './exported-matrix.ts'

/** Texts that a spreadsheet would take for a formula get an apostrophe, which it hides: outputs of models are not trusted. */
export const toCsv = (matrix: ExportedMatrix): string => `${Papa.unparse(toFlatRows(matrix), { escapeFormulae: true })}\r\n`
