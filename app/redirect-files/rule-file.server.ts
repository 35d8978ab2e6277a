import { writeApache } from './apache-file.server.ts'
import { readApache } from './apache-rules.ts'
import { readCsv, writeCsv } from './csv-rules.server.ts'
import { readJson, writeJson } from './json-rules.ts'
import { writeNginx } from './nginx-file.server.ts'
import { readNginx } from './nginx-rules.ts'
import type { Format } from './rule-file.ts'
import { LONGEST_LINE, refuse, type RuleLine, type WritableRule, type WrittenFile } from './rule-line.ts'

const readers = { csv: readCsv, json: readJson, apache: readApache, nginx: readNginx }
const writers = { csv: writeCsv, json: writeJson, apache: writeApache, nginx: writeNginx }

/** What each line of a file says. `origin` is that of this site: its addresses are read as paths. The rules come in the order in which they are to be tried. */
export function readRules(text: string, format: Format, origin: string): RuleLine[] {
  // JSON is often one line, and is read as fast as it is long.
  const tooLong = format === 'json' ? -1 : text.split('\n').findIndex((line) => line.length > LONGEST_LINE)
  if (tooLong < 0) return readers[format](text, origin)
  return [refuse({ line: tooLong + 1, text: '' }, `A line has at most ${LONGEST_LINE.toLocaleString('en')} characters: nothing was read`)]
}

export function writeRules(rules: readonly WritableRule[], format: Format): WrittenFile {
  return writers[format](rules)
}
