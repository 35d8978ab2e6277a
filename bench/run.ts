import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The first line of a bench describes it; files without such a line are helpers. */
const benches = globSync('bench/*.ts')
  .toSorted()
  .flatMap((file) => {
    const [, about] = /^\/\/ (.+)\n/.exec(readFileSync(file, 'utf8')) ?? []
    return about ? [{ name: path.basename(file, '.ts'), file, about }] : []
  })

const asked = process.argv.slice(2)
const unknown = asked.find((name) => !benches.some((bench) => bench.name === name))
if (unknown) {
  process.stderr.write(`There is no bench ${unknown}. There are:\n`)
  for (const { name, about } of benches) process.stderr.write(`  ${name.padEnd(14)} ${about}\n`)
  process.exit(1)
}

const results = benches
  .filter(({ name }) => asked.length === 0 || asked.includes(name))
  .map(({ name, file, about }) => {
    process.stdout.write(`\n── ${name}: ${about}\n`)
    const { status } = spawnSync(process.execPath, [file], { stdio: 'inherit' })
    return { name, ok: status === 0 }
  })

process.stdout.write('\n')
for (const { name, ok } of results) process.stdout.write(`${ok ? '✓ within its bars  ' : '✗ misses a bar     '} ${name}\n`)
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1
