import { parseArgs } from 'node:util'
import { OperatorError } from '#app/platform/operator-error.ts'
import type { ProgressReport } from './progress.server.ts'

/** Every option of every command. A command lists the ones that it accepts. */
const options = {
  to: { type: 'string' },
  keep: { type: 'string' },
  force: { type: 'boolean', default: false },
  days: { type: 'string', default: '365' },
  product: { type: 'string' },
  changes: { type: 'string', default: '' },
  publish: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/** An option as it is written in a usage line, such as `--to URL`, and its meaning. */
type DescribedOption = readonly [name: string, meaning: string]

export type CommandArguments = ReturnType<typeof parseWords>['values'] & { words: string[] }

export type OperatorCommand = {
  /** How the command is started. */
  start: string
  /** Arguments after the start: one form, or several. */
  usage: readonly [string, ...string[]]
  about: string
  options: readonly DescribedOption[]
  /** Arguments of an example. */
  example: string
  /** The largest number of arguments that are no options. */
  mostWords: number
  /** Returns a sentence to print. */
  run: (given: CommandArguments, report: ProgressReport) => Promise<string>
}

const HELP: DescribedOption = ['-h, --help', 'prints this help']

/** The arguments of a command. Returns `undefined` when they ask for help. */
export function readArguments(command: OperatorCommand, args: string[]): CommandArguments | undefined {
  const { values, positionals, tokens } = parseOrRefuse(command, args)
  if (values.help) return undefined
  const known = new Set(command.options.map(([name]) => /^--([\w-]+)/.exec(name)?.[1]))
  for (const token of tokens) {
    if (token.kind === 'option' && !known.has(token.name)) refuseArguments(command, `Unknown option ${token.rawName}`)
  }
  const extra = positionals[command.mostWords]
  if (extra !== undefined) refuseArguments(command, `Unexpected argument ${extra}`)
  return { ...values, words: positionals }
}

/** Usage, options and an example. */
export function helpOf(command: OperatorCommand): string {
  const rows = [...command.options, HELP]
  const width = Math.max(...rows.map(([name]) => name.length))
  const [first, ...others] = command.usage.map((form) => lineOf(command, form))
  return [
    `Usage: ${first}`,
    ...others.map((form) => `       ${form}`),
    '',
    command.about,
    '',
    'Options:',
    ...rows.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`),
    '',
    'Example:',
    `  ${lineOf(command, command.example)}`,
    '',
  ].join('\n')
}

/** Refuses wrong arguments with one sentence that names the help. */
export function refuseArguments(command: OperatorCommand, problem: string): never {
  throw new OperatorError(`${problem}: ${command.start} --help shows how to use this command.`)
}

function parseOrRefuse(command: OperatorCommand, args: string[]) {
  try {
    return parseWords(args)
  } catch (error) {
    // Node adds a second sentence about arguments that begin with a dash.
    const [problem = 'Invalid arguments'] = error instanceof Error ? error.message.split('. ') : []
    return refuseArguments(command, problem.replace(/\.$/, '').replaceAll("'", ''))
  }
}

function parseWords(args: string[]) {
  return parseArgs({ args, allowPositionals: true, tokens: true, options })
}

function lineOf({ start }: OperatorCommand, words: string): string {
  return words ? `${start} ${words}` : start
}
