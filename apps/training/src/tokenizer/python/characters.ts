/**
 * Sets of characters of Python 3.11 (Unicode 14) that JavaScript's regular expressions have no name for. Each is written out wherever it is part of a
 * pattern, since a pattern is a literal.
 */

/** A character that `str.isspace` is true of. */
export const spaceCharacter = /^[\u{9}-\u{d}\u{1c}-\u{20}\u{85}\u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}]$/u

/** A text that `str.isspace` is true of. */
export const spaces = /^[\u{9}-\u{d}\u{1c}-\u{20}\u{85}\u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}]+$/u

/** Runs of other characters. */
export const words = /[^\u{9}-\u{d}\u{1c}-\u{20}\u{85}\u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}]+/gu

/** Where Jinja's `title` begins a word: white space, hyphens and opening brackets. */
export const wordBeginnings =
  /([-\u{9}-\u{d}\u{1c}-\u{20}\u{85}\u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}({[<]+)/u

/** Lines, each with what `str.splitlines` ends it with. */
export const lines = /([^\u{a}-\u{d}\u{1c}-\u{1e}\u{85}\u{2028}\u{2029}]*)(\r\n|[\u{a}-\u{d}\u{1c}-\u{1e}\u{85}\u{2028}\u{2029}]|$)/gu

/** A text that `str.isdigit` is true of. */
export const digits =
  /^[\p{Nd}\u{b2}\u{b3}\u{b9}\u{1369}-\u{1371}\u{19da}\u{2070}\u{2074}-\u{2079}\u{2080}-\u{2089}\u{2460}-\u{2468}\u{2474}-\u{247c}\u{2488}-\u{2490}\u{24ea}\u{24f5}-\u{24fd}\u{24ff}\u{2776}-\u{277e}\u{2780}-\u{2788}\u{278a}-\u{2792}\u{10a40}-\u{10a43}\u{10e60}-\u{10e68}\u{11052}-\u{1105a}\u{1f100}-\u{1f10a}]+$/u

/** A text that `str.isnumeric` is true of. */
export const numerics =
  /^[\p{Nd}\u{b2}\u{b3}\u{b9}\u{1369}-\u{1371}\u{19da}\u{2070}\u{2074}-\u{2079}\u{2080}-\u{2089}\u{2460}-\u{2468}\u{2474}-\u{247c}\u{2488}-\u{2490}\u{24ea}\u{24f5}-\u{24fd}\u{24ff}\u{2776}-\u{277e}\u{2780}-\u{2788}\u{278a}-\u{2792}\u{10a40}-\u{10a43}\u{10e60}-\u{10e68}\u{11052}-\u{1105a}\u{1f100}-\u{1f10a}\u{bc}-\u{be}\u{9f4}-\u{9f9}\u{b72}-\u{b77}\u{bf0}-\u{bf2}\u{c78}-\u{c7e}\u{d58}-\u{d5e}\u{d70}-\u{d78}\u{f2a}-\u{f33}\u{1372}-\u{137c}\u{16ee}-\u{16f0}\u{17f0}-\u{17f9}\u{2150}-\u{2182}\u{2185}-\u{2189}\u{2469}-\u{2473}\u{247d}-\u{2487}\u{2491}-\u{249b}\u{24eb}-\u{24f4}\u{24fe}\u{277f}\u{2789}\u{2793}\u{2cfd}\u{3007}\u{3021}-\u{3029}\u{3038}-\u{303a}\u{3192}-\u{3195}\u{3220}-\u{3229}\u{3248}-\u{324f}\u{3251}-\u{325f}\u{3280}-\u{3289}\u{32b1}-\u{32bf}\u{3405}\u{3483}\u{382a}\u{3b4d}\u{4e00}\u{4e03}\u{4e07}\u{4e09}\u{4e5d}\u{4e8c}\u{4e94}\u{4e96}\u{4ebf}\u{4ec0}\u{4edf}\u{4ee8}\u{4f0d}\u{4f70}\u{5104}\u{5146}\u{5169}\u{516b}\u{516d}\u{5341}\u{5343}-\u{5345}\u{534c}\u{53c1}-\u{53c4}\u{56db}\u{58f1}\u{58f9}\u{5e7a}\u{5efe}\u{5eff}\u{5f0c}-\u{5f0e}\u{5f10}\u{62fe}\u{634c}\u{67d2}\u{6f06}\u{7396}\u{767e}\u{8086}\u{842c}\u{8cae}\u{8cb3}\u{8d30}\u{9621}\u{9646}\u{964c}\u{9678}\u{96f6}\u{a6e6}-\u{a6ef}\u{a830}-\u{a835}\u{f96b}\u{f973}\u{f978}\u{f9b2}\u{f9d1}\u{f9d3}\u{f9fd}\u{10107}-\u{10133}\u{10140}-\u{10178}\u{1018a}\u{1018b}\u{102e1}-\u{102fb}\u{10320}-\u{10323}\u{10341}\u{1034a}\u{103d1}-\u{103d5}\u{10858}-\u{1085f}\u{10879}-\u{1087f}\u{108a7}-\u{108af}\u{108fb}-\u{108ff}\u{10916}-\u{1091b}\u{109bc}\u{109bd}\u{109c0}-\u{109cf}\u{109d2}-\u{109ff}\u{10a44}-\u{10a48}\u{10a7d}\u{10a7e}\u{10a9d}-\u{10a9f}\u{10aeb}-\u{10aef}\u{10b58}-\u{10b5f}\u{10b78}-\u{10b7f}\u{10ba9}-\u{10baf}\u{10cfa}-\u{10cff}\u{10e69}-\u{10e7e}\u{10f1d}-\u{10f26}\u{10f51}-\u{10f54}\u{10fc5}-\u{10fcb}\u{1105b}-\u{11065}\u{111e1}-\u{111f4}\u{1173a}\u{1173b}\u{118ea}-\u{118f2}\u{11c5a}-\u{11c6c}\u{11fc0}-\u{11fd4}\u{12400}-\u{1246e}\u{16b5b}-\u{16b61}\u{16e80}-\u{16e96}\u{1d2e0}-\u{1d2f3}\u{1d360}-\u{1d378}\u{1e8c7}-\u{1e8cf}\u{1ec71}-\u{1ecab}\u{1ecad}-\u{1ecaf}\u{1ecb1}-\u{1ecb4}\u{1ed01}-\u{1ed2d}\u{1ed2f}-\u{1ed3d}\u{1f10b}\u{1f10c}\u{20001}\u{20064}\u{200e2}\u{20121}\u{2092a}\u{20983}\u{2098c}\u{2099c}\u{20aea}\u{20afd}\u{20b19}\u{22390}\u{22998}\u{23b1b}\u{2626d}\u{2f890}]+$/u

/** A text that `str.isalnum` is true of. */
export const alphanumerics =
  /^[\p{L}\p{Nd}\u{b2}\u{b3}\u{b9}\u{1369}-\u{1371}\u{19da}\u{2070}\u{2074}-\u{2079}\u{2080}-\u{2089}\u{2460}-\u{2468}\u{2474}-\u{247c}\u{2488}-\u{2490}\u{24ea}\u{24f5}-\u{24fd}\u{24ff}\u{2776}-\u{277e}\u{2780}-\u{2788}\u{278a}-\u{2792}\u{10a40}-\u{10a43}\u{10e60}-\u{10e68}\u{11052}-\u{1105a}\u{1f100}-\u{1f10a}\u{bc}-\u{be}\u{9f4}-\u{9f9}\u{b72}-\u{b77}\u{bf0}-\u{bf2}\u{c78}-\u{c7e}\u{d58}-\u{d5e}\u{d70}-\u{d78}\u{f2a}-\u{f33}\u{1372}-\u{137c}\u{16ee}-\u{16f0}\u{17f0}-\u{17f9}\u{2150}-\u{2182}\u{2185}-\u{2189}\u{2469}-\u{2473}\u{247d}-\u{2487}\u{2491}-\u{249b}\u{24eb}-\u{24f4}\u{24fe}\u{277f}\u{2789}\u{2793}\u{2cfd}\u{3007}\u{3021}-\u{3029}\u{3038}-\u{303a}\u{3192}-\u{3195}\u{3220}-\u{3229}\u{3248}-\u{324f}\u{3251}-\u{325f}\u{3280}-\u{3289}\u{32b1}-\u{32bf}\u{3405}\u{3483}\u{382a}\u{3b4d}\u{4e00}\u{4e03}\u{4e07}\u{4e09}\u{4e5d}\u{4e8c}\u{4e94}\u{4e96}\u{4ebf}\u{4ec0}\u{4edf}\u{4ee8}\u{4f0d}\u{4f70}\u{5104}\u{5146}\u{5169}\u{516b}\u{516d}\u{5341}\u{5343}-\u{5345}\u{534c}\u{53c1}-\u{53c4}\u{56db}\u{58f1}\u{58f9}\u{5e7a}\u{5efe}\u{5eff}\u{5f0c}-\u{5f0e}\u{5f10}\u{62fe}\u{634c}\u{67d2}\u{6f06}\u{7396}\u{767e}\u{8086}\u{842c}\u{8cae}\u{8cb3}\u{8d30}\u{9621}\u{9646}\u{964c}\u{9678}\u{96f6}\u{a6e6}-\u{a6ef}\u{a830}-\u{a835}\u{f96b}\u{f973}\u{f978}\u{f9b2}\u{f9d1}\u{f9d3}\u{f9fd}\u{10107}-\u{10133}\u{10140}-\u{10178}\u{1018a}\u{1018b}\u{102e1}-\u{102fb}\u{10320}-\u{10323}\u{10341}\u{1034a}\u{103d1}-\u{103d5}\u{10858}-\u{1085f}\u{10879}-\u{1087f}\u{108a7}-\u{108af}\u{108fb}-\u{108ff}\u{10916}-\u{1091b}\u{109bc}\u{109bd}\u{109c0}-\u{109cf}\u{109d2}-\u{109ff}\u{10a44}-\u{10a48}\u{10a7d}\u{10a7e}\u{10a9d}-\u{10a9f}\u{10aeb}-\u{10aef}\u{10b58}-\u{10b5f}\u{10b78}-\u{10b7f}\u{10ba9}-\u{10baf}\u{10cfa}-\u{10cff}\u{10e69}-\u{10e7e}\u{10f1d}-\u{10f26}\u{10f51}-\u{10f54}\u{10fc5}-\u{10fcb}\u{1105b}-\u{11065}\u{111e1}-\u{111f4}\u{1173a}\u{1173b}\u{118ea}-\u{118f2}\u{11c5a}-\u{11c6c}\u{11fc0}-\u{11fd4}\u{12400}-\u{1246e}\u{16b5b}-\u{16b61}\u{16e80}-\u{16e96}\u{1d2e0}-\u{1d2f3}\u{1d360}-\u{1d378}\u{1e8c7}-\u{1e8cf}\u{1ec71}-\u{1ecab}\u{1ecad}-\u{1ecaf}\u{1ecb1}-\u{1ecb4}\u{1ed01}-\u{1ed2d}\u{1ed2f}-\u{1ed3d}\u{1f10b}\u{1f10c}\u{20001}\u{20064}\u{200e2}\u{20121}\u{2092a}\u{20983}\u{2098c}\u{2099c}\u{20aea}\u{20afd}\u{20b19}\u{22390}\u{22998}\u{23b1b}\u{2626d}\u{2f890}]+$/u

/** A letter that is its own title case, though upper case is another. */
export const ownTitle =
  /^[\u{1c5}\u{1c8}\u{1cb}\u{1f2}\u{10d0}-\u{10fa}\u{10fd}-\u{10ff}\u{1f88}-\u{1f8f}\u{1f98}-\u{1f9f}\u{1fa8}-\u{1faf}\u{1fbc}\u{1fcc}\u{1ffc}]$/u

/** Further letters whose title case is not their upper case. */
export const titles: ReadonlyMap<string, string> = new Map([
  ['\u00df', '\u0053\u0073'],
  ['\u01c4', '\u01c5'],
  ['\u01c6', '\u01c5'],
  ['\u01c7', '\u01c8'],
  ['\u01c9', '\u01c8'],
  ['\u01ca', '\u01cb'],
  ['\u01cc', '\u01cb'],
  ['\u01f1', '\u01f2'],
  ['\u01f3', '\u01f2'],
  ['\u0587', '\u0535\u0582'],
  ['\u1f80', '\u1f88'],
  ['\u1f81', '\u1f89'],
  ['\u1f82', '\u1f8a'],
  ['\u1f83', '\u1f8b'],
  ['\u1f84', '\u1f8c'],
  ['\u1f85', '\u1f8d'],
  ['\u1f86', '\u1f8e'],
  ['\u1f87', '\u1f8f'],
  ['\u1f90', '\u1f98'],
  ['\u1f91', '\u1f99'],
  ['\u1f92', '\u1f9a'],
  ['\u1f93', '\u1f9b'],
  ['\u1f94', '\u1f9c'],
  ['\u1f95', '\u1f9d'],
  ['\u1f96', '\u1f9e'],
  ['\u1f97', '\u1f9f'],
  ['\u1fa0', '\u1fa8'],
  ['\u1fa1', '\u1fa9'],
  ['\u1fa2', '\u1faa'],
  ['\u1fa3', '\u1fab'],
  ['\u1fa4', '\u1fac'],
  ['\u1fa5', '\u1fad'],
  ['\u1fa6', '\u1fae'],
  ['\u1fa7', '\u1faf'],
  ['\u1fb2', '\u1fba\u0345'],
  ['\u1fb3', '\u1fbc'],
  ['\u1fb4', '\u0386\u0345'],
  ['\u1fb7', '\u0391\u0342\u0345'],
  ['\u1fc2', '\u1fca\u0345'],
  ['\u1fc3', '\u1fcc'],
  ['\u1fc4', '\u0389\u0345'],
  ['\u1fc7', '\u0397\u0342\u0345'],
  ['\u1ff2', '\u1ffa\u0345'],
  ['\u1ff3', '\u1ffc'],
  ['\u1ff4', '\u038f\u0345'],
  ['\u1ff7', '\u03a9\u0342\u0345'],
  ['\ufb00', '\u0046\u0066'],
  ['\ufb01', '\u0046\u0069'],
  ['\ufb02', '\u0046\u006c'],
  ['\ufb03', '\u0046\u0066\u0069'],
  ['\ufb04', '\u0046\u0066\u006c'],
  ['\ufb05', '\u0053\u0074'],
  ['\ufb06', '\u0053\u0074'],
  ['\ufb13', '\u0544\u0576'],
  ['\ufb14', '\u0544\u0565'],
  ['\ufb15', '\u0544\u056b'],
  ['\ufb16', '\u054e\u0576'],
  ['\ufb17', '\u0544\u056d'],
])
