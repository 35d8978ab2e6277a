import { Command, CommanderError } from 'commander'
import { OperatorError } from '#app/platform/errors/operator-error.ts'

/** A command of the operator. `start` is how it is started; the help shows it. */
export function operatorCommand(given: { start: string; about: string; example: string }): Command {
  const { start, about, example } = given
  return new Command(start)
    .description(about)
    .helpOption('-h, --help', 'prints this help')
    .helpCommand(false)
    .addHelpText('after', `\nExample:\n  ${[start, example].join(' ').trim()}`)
    .showSuggestionAfterError(false)
    .configureHelp({ showGlobalOptions: false })
    .configureOutput({ writeErr: () => undefined })
    .exitOverride()
}

/** Refuses wrong arguments with one sentence that names the help. */
export function refuseArguments(command: Command, problem: string): never {
  throw new OperatorError(`${problem}: ${(command.parent ?? command).name()} --help shows how to use this command.`)
}

/** Parses the arguments and runs the command. Returns at once when they ask for help. */
export async function runArguments(command: Command, args: string[]) {
  try {
    await command.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.code === 'commander.helpDisplayed') return
    const [problem = ''] = error.message.replace(/^error: /, '').split('. ')
    refuseArguments(command, `${problem.charAt(0).toUpperCase()}${problem.slice(1)}`.replace(/\.$/, '').replaceAll("'", ''))
  }
}
