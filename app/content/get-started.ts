import { terms } from './terms.ts'

/** The texts around the guided intake; its own are in intake.ts. */
export const getStarted = {
  eyebrow: 'Get started',
  title: 'Three steps to a proposal',
  get introduction() {
    return `It takes about two minutes. Within ${terms.response}, you get ${terms.answer}.`
  },
  call: `Prefer to talk? The ${terms.callLength} strategy call is free.`,
} as const
