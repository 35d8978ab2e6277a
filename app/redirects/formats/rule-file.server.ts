import { writeApache } from './apache-file.server.ts'
import { readApache } from './apache-rules.ts'
import { readCsv, writeCsv } from './csv-rules.server.ts'
import { readJson, writeJson } from './json-rules.ts'
import { writeNginx } from './nginx-file.server.ts'
import { readNginx } from './nginx-rules.ts'
import type { Format } from './rule-file.ts'
import { LONGEST_RULE_LINE, refuseLine, type RuleLine, type WritableRule, type WrittenFile } from './rule-line.ts'

const readers = { csv: readCsv, json: readJson, apache: readApache, nginx: readNginx }
const writers = { csv: writeCsv, json: writeJson, apache: writeApache, nginx: writeNginx }

/** Reads each line of a file, in matching order. `origin` is that of this site: its addresses become paths. */
export function readRuleFile(text: string, format: Format, origin: string): RuleLine[] {
  // JSON is often a single line, and parses in linear time.
  const tooLong = format === 'json' ? -1 : text.split('\n').findIndex((line) => line.length > LONGEST_RULE_LINE)
  if (tooLong < 0) return readers[format](text, origin)
  return [
    refuseLine(
      { line: tooLong + 1, text: '' },
      `A line can have at most ${LONGEST_RULE_LINE.toLocaleString('en')} characters; nothing was imported`,
    ),
  ]
}

export function writeRules(rules: readonly WritableRule[], format: Format): WrittenFile {
  return writers[format](rules)
}
