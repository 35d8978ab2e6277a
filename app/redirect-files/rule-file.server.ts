import { writeApache } from './apache-file.ts'
import { readApache } from './apache-rules.ts'
import { readCsv, writeCsv } from './csv-rules.server.ts'
import { readJson, writeJson } from './json-rules.ts'
import { writeNginx } from './nginx-file.ts'
import { readNginx } from './nginx-rules.ts'
import type { Format } from './rule-file.ts'
import type { RuleLine, WritableRule, WrittenFile } from './rule-line.ts'

const readers = { csv: readCsv, json: readJson, apache: readApache, nginx: readNginx }
const writers = { csv: writeCsv, json: writeJson, apache: writeApache, nginx: writeNginx }

/** What each line of a file says. `origin` is that of this site: its addresses are read as paths. The rules come in the order in which they are to be tried. */
export function readRules(text: string, format: Format, origin: string): RuleLine[] {
  return readers[format](text, origin)
}

export function writeRules(rules: readonly WritableRule[], format: Format): WrittenFile {
  return writers[format](rules)
}
