/** The three steps of the guided intake. They are sent with its script, so this file has nothing else. */
export const intake = {
  problem: { label: 'Problem', ask: 'Select a problem type' },
  need: { title: 'What you need', text: 'Choose what comes closest. The next step has room for the rest.' },
  details: { title: 'What it looks like', text: 'The pages, the columns, how often, and the day you need it.' },
  you: { title: 'Who you are', text: 'Our answer goes to this address.' },
  submit: 'Get My Proposal',
} as const
