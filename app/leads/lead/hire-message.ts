import { type Budget, budgets, type Timeframe, timeframes } from '#app/content/contact-options.ts'

/** The person's message and the choices that the hire form appends to it. */
export type HireMessage = { text: string; budget?: Budget | undefined; timeframe?: Timeframe | undefined }

const BUDGET = 'Budget Range:'
const TIMEFRAME = 'Timeframe:'
const NOT_SPECIFIED = 'Not specified'

/** The message as the hire form sends it: the text, then one line for each choice. */
export function composeHireMessage({ text, budget, timeframe }: HireMessage): string {
  return `${text}\n\n${BUDGET} ${budget ?? NOT_SPECIFIED}\n${TIMEFRAME} ${timeframe ?? NOT_SPECIFIED}`
}

/** Parses the two lines at the end of a message, by value or by label; a message without them is all text. */
export function parseHireMessage(message: string): HireMessage {
  const lines = message.trimEnd().split('\n')
  const [budget = '', timeframe = ''] = lines.slice(-2)
  if (!budget.startsWith(BUDGET) || !timeframe.startsWith(TIMEFRAME)) return { text: message }
  return {
    text: lines.slice(0, -2).join('\n').trim(),
    budget: choiceOf(budgets, budget.slice(BUDGET.length)),
    timeframe: choiceOf(timeframes, timeframe.slice(TIMEFRAME.length)),
  }
}

function choiceOf<Value extends string>(options: readonly { value: Value; label: string }[], said: string): Value | undefined {
  const wanted = said.trim().toLowerCase()
  return options.find(({ value, label }) => value === wanted || label.toLowerCase() === wanted)?.value
}

/** The answers as they are submitted: the hire form's choices are part of its message. */
export function asSent(form: string, values: Readonly<Record<string, string>>): Record<string, string> {
  if (form !== 'hire') return { ...values }
  const { message = '', budget = '', timeframe = '', ...rest } = values
  return {
    ...rest,
    message: composeHireMessage({ text: message, budget: choiceOf(budgets, budget), timeframe: choiceOf(timeframes, timeframe) }),
  }
}
