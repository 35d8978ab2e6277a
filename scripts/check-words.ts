import { globSync, readFileSync } from 'node:fs'
import { checkDocument, checkSource } from './words.ts'

const sources = globSync('{app,db,scripts,bench,test}/**/*.{ts,tsx}').filter((file) => !file.startsWith('scripts/words.'))
const documents = ['README.md', 'STYLE.md', ...globSync('docs/**/*.md')]

const found = [
  ...sources.toSorted().flatMap((file) => checkSource(file, readFileSync(file, 'utf8'))),
  ...documents.flatMap((file) => checkDocument(file, readFileSync(file, 'utf8'))),
]
for (const { file, line, rule, text } of found) process.stdout.write(`${file}:${line}: ${rule}: ${text.slice(0, 160)}\n`)
process.exitCode = found.length === 0 ? 0 : 1
