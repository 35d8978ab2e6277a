/** The three steps of the guided intake. They are sent with its script, so this file has nothing else. */
export const intake = {
  problem: { label: 'Problem', ask: 'Select a problem type' },
  need: { title: 'What you need', text: 'Choose the closest match. You can add details in the next step.' },
  details: { title: 'What it looks like', text: 'The pages, the columns, how often, and the date you need it.' },
  you: { title: 'Who you are', text: 'We’ll reply to this address.' },
  submit: 'Get My Proposal',
} as const
