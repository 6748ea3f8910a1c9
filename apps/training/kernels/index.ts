export { attention, attentionBackward, attentionOfOne, attentionScratch } from './attention'
export { gatherBfloat16Columns, multiplyBfloat16, transposedBfloat16Panel } from './bfloat16'
export {
  add,
  addRowsTo,
  addToColumns,
  addToRows,
  copy,
  gatherColumns,
  gatherRows,
  rmsNorm,
  rmsNormBackward,
  rotate,
  scale,
  scatterRows,
  sumOfSquares,
  swiglu,
  swigluBackward,
} from './elementwise'
export { logProbabilities, logProbabilitiesBackward } from './loss'
export { matmul, pack, transpose, transposePanels } from './matrix'
export { adamW } from './optimizer'
