/** The texts of the two longer forms, on the home page and the hire page. They are sent with their script, so this file has nothing else. */

export const homeForm = {
  submit: 'Get Your Free Consultation',
  country: { label: 'Country', ask: 'Select your country' },
  service: { label: 'Problem or service', ask: 'Select the closest match' },
} as const

export const hireFormWords = {
  submit: 'Get Your Free Quote',
  challenges: { label: 'Data challenges', hint: 'Tasks that take too long, break, or cannot be done by hand.' },
  details: { label: 'Project details', hint: 'Pages, columns, how often, and the date you need it.' },
} as const
