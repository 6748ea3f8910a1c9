export { addKeys, attention, attentionBackward, attentionOfRows, attentionScratch, attentionSteps } from './attention'
export {
  add,
  addRowsTo,
  addToColumns,
  addSquares,
  addToRows,
  copy,
  gatherBfloat16Columns,
  gatherColumns,
  gatherRows,
  rmsNorm,
  rmsNormBackward,
  rotate,
  scale,
  scaleRows,
  scatterRows,
  swiglu,
  swigluBackward,
} from './elementwise'
export { logProbabilities, logProbabilitiesBackward } from './loss'
export { copyTile, matmul, multiplyBfloat16, multiplyTransposedBfloat16, pack, transpose, transposePanels } from './matrix'
export { adamW } from './optimizer'
